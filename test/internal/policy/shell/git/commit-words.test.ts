// Commands that only stage and commit: no command that is classified so takes anything from a repository.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { committingWords } from '../../../../../internal/policy/shell/git/commit-words.ts'
import { git } from '../../../../support/repo.ts'
import { choice, rng } from '../../../../support/rng.ts'
import { rounds } from '../../../../support/sample.ts'
import { folder, remove } from '../../policies.ts'

let dir = ''
beforeAll(() => {
  dir = folder('sub')
  git(dir, 'init', '-q', '-b', 'main', '--template=')
  mkdirSync(join(dir, '.git/hooks'))
  git(dir, 'config', 'user.email', 'you@example.org')
  git(dir, 'config', 'user.name', 'You')
  writeFileSync(join(dir, 'kept.txt'), 'kept\n')
  writeFileSync(join(dir, 'message'), 'from a file\n')
  git(dir, 'add', '-A')
  git(dir, 'commit', '-qm', 'first')
  // a command that skips the check or opens an editor leaves a trace
  writeFileSync(join(dir, '.git/hooks/pre-commit'), '#!/bin/sh\nprintf x >> .git/checked\n', { mode: 0o755 })
})
afterAll(() => remove(dir))

/** Options of git add and git commit, known and unknown, with values for those that take one. */
const options: Readonly<Record<string, readonly string[]>> = {
  add: '-A -u -v -n -f -N -e -p -i --all --update --force --refresh --renormalize --chmod=+x --ignore-errors --dry-run -- . a.txt sub'.split(
    ' ',
  ),
  commit:
    '-a -q -v -s -n -e -o -i -p -z -am -qam -mx -S --all --amend --amen --no-verify --no-ver --quiet --signoff --only --allow-empty --allow-empty-message --dry-run --message=x --fixup=HEAD --squash=HEAD --reset-author --author=x<y@z> --no-edit --file=message --template=message --edit --cleanup=strip -F message -C HEAD -c -m x --message y -- a.txt'.split(
      ' ',
    ),
}

function makeWords(next: () => number): string[] {
  const command = choice(next, ['add', 'commit', 'commit', 'commit'])
  const count = 1 + Math.floor(next() * 4)
  return ['git', command, ...Array.from({ length: count }, () => choice(next, options[command] ?? []))]
}

test('random words: a known commit command creates at most one commit, runs its check, and prompts no one', () => {
  const next = rng(29)
  const head = () => git(dir, 'rev-parse', 'HEAD').trim()
  let known = 0
  let commits = 0
  for (let i = 0; known < rounds(40, 400) && i < 20_000; i++) {
    const words = makeWords(next)
    if (committingWords(words) === undefined) continue
    known++
    writeFileSync(join(dir, 'a.txt'), `${i}\n`)
    if (next() < 0.7) git(dir, 'add', 'a.txt')
    const before = head()
    const checks = () =>
      existsSync(join(dir, '.git/checked')) ? readFileSync(join(dir, '.git/checked')).length : 0
    const checked = checks()
    const [program = '', ...rest] = words
    try {
      execFileSync(program, rest, {
        cwd: dir,
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: 10_000,
        env: { PATH: process.env.PATH, HOME: dir, GIT_EDITOR: 'touch EDITED; false' },
      })
    } catch {
      // Nothing to commit, or a path that git does not know. Then nothing has changed.
    }
    const line = words.join(' ')
    const after = head()
    if (after !== before) {
      commits++
      expect(git(dir, 'rev-parse', `${after}^`).trim(), line).toBe(before)
      expect(checks(), line).toBeGreaterThan(checked)
    }
    expect(existsSync(join(dir, 'EDITED')), line).toBe(false)
    expect(readFileSync(join(dir, 'kept.txt'), 'utf8'), line).toBe('kept\n')
  }
  expect(known).toBeGreaterThanOrEqual(40)
  expect(commits).toBeGreaterThan(5)
}, 120_000)

test('commands that do anything else are not classified', () => {
  for (const line of [
    ...[
      'git commit',
      'git commit -a',
      'git commit --amend -m x',
      'git commit -m x -n',
      'git commit -F f -m x',
    ],
    ...['git add -f x', 'git add -p', 'git add --chmod=+x a', 'git stash', 'git push', 'hg commit -m x'],
    ...['/usr/bin/git commit -m x', 'git -C x commit -m x', 'git commit -m', 'git'],
  ])
    expect(committingWords(line.split(' ')), line).toBeUndefined()
  expect(committingWords(['git', 'commit', '-qam', 'Fix it'])).toBe('git commit')
  expect(committingWords(['git', 'add', '-A'])).toBe('git add')
})
