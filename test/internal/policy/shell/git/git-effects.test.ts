// The reasons for which git asks, and the forms that only print.
import { expect, test } from 'vitest'
import { describeGitEffect } from '../../../../../internal/policy/shell/git/git-effects.ts'

const effect = (line: string) => describeGitEffect(line.split(' '))

test.each([
  ...[
    'git remote',
    'git remote -v',
    'git config --get user.name',
    'git config -l',
    'git fsck',
    'git fsck --full',
  ],
  ...[
    'git apply --check x.patch',
    'git stash list',
    'git stash show -p',
    'git archive HEAD',
    'git bisect log',
  ],
])('%s only prints', (line) => expect(effect(line)).toBeUndefined())

test.each([
  ['git stash', 'moves the changes'],
  ['git stash pop', 'brings stashed changes back'],
  ['git stash drop', 'deletes stashed changes'],
  ['git checkout -b x', 'creates a branch'],
  ['git switch -c x', 'creates a branch'],
  ['git add .', 'writes the index'],
  ['git restore --staged a', 'writes the index'],
  ['git checkout -- a', 'discards changes'],
  ['git reset --hard', 'discards changes'],
  ['git config user.name x', 'changes the settings'],
  ['git remote add x y', 'changes the settings'],
  ['git ls-remote', 'connects to a server'],
  ['git push', 'connects to a server'],
  ['git commit -m x', 'changes the history'],
  ['git rebase main', 'changes the history'],
  ['git fsck --lost-found', 'may write to the repository'],
  ['git apply --check --apply x', 'changes files'],
  ['git archive -o x HEAD', 'may write to the repository'],
  ['git frobnicate', 'may write to the repository'],
])('%s %s', (line, reason) => expect(effect(line)).toContain(reason))
