// The files that reading programs may access, and their doubtful arguments.
import { expect, test } from 'vitest'
import { judgeReader } from '../../../../../internal/policy/shell/programs/readers.ts'

/** Splits words at spaces. `_` is replaced by a space. */
const judge = (line: string) => judgeReader(line.split(' ').map((word) => word.replaceAll('_', ' ')))

test.each([
  ['ls -la a', ['a']],
  ['head -n 5 a', ['a']],
  ['head -5 a', ['a']],
  ['cut -d / -f1 a', ['a']],
  ['cut -d/ -f 1,3 a', ['a']],
  ['grep -rn x a', ['a']],
  ['grep a -e x b', ['a', 'b', 'x']],
  ['grep -f p a', ['a', 'p']],
  ['sort -t: -k2 a', ['a']],
  ['find . -name /x -newer y', ['.', 'y']],
  ['test -f a', ['a']],
  ['[ -f a -a b = c ]', ['a', 'b', 'c']],
  ['printf %s\\n /etc', []],
  ['echo -x /etc', []],
  ['sed -n 1,5p a', ['a']],
  ['sed -n -e p a', ['a']],
  ['awk -F: {print} a', ['a']],
  ['jq -r .a a', ['a']],
  ['jq --slurpfile x y . a', ['a', 'y']],
  ['date +%F', ['+%F']],
  ['git show HEAD:.env', ['HEAD:.env', '.env']],
  ['git --no-pager log -5', []],
  ['git branch --list x', ['x']],
] as const)('%s reads %j', (line, files) => {
  const found = judge(line)
  expect(found).not.toHaveProperty('odd')
  expect(found).toMatchObject({ files })
})

test.each([
  ['rg x', 'visible', ['.']],
  ['rg --hidden x a', 'all', ['a']],
  ['rg -g .e* x', 'all', ['.']],
  ['rg -e x a b', 'visible', ['a', 'b']],
  ['grep -r x', 'all', ['.']],
  ['grep -rA 1 x a', 'all', ['a']],
  ['grep x a', undefined, []],
  ['diff a b', 'all', ['a', 'b']],
  ['find .', undefined, []],
  ['git grep x', 'tracked', ['.']],
  ['git grep x -- a', 'tracked', ['a']],
  ['git grep -- a', 'tracked', ['.']],
  ['git grep x HEAD:', 'tracked', ['.']],
  ['git grep x HEAD:a', 'tracked', ['a']],
  ['git grep x HEAD: a', 'tracked', ['.', 'a']],
  ['git grep x a HEAD:b', 'tracked', ['a', 'b']],
  ['git diff', 'tracked', ['.']],
  ['git diff HEAD -- a', 'tracked', ['HEAD', 'a']],
  ['git diff HEAD a *', 'tracked', ['.']],
  ['git diff -- :!a', 'tracked', ['.']],
  ['git diff 1a2b3c a', 'tracked', ['.']],
  ['git diff --stat', undefined, []],
  ['git diff --stat -p', 'tracked', ['.']],
  ['git show', 'tracked', ['.']],
  ['git show --name-only', undefined, []],
  ['git show --stat 1a2b3c', 'tracked', ['.']],
  ['git show --stdin -s', 'tracked', ['.']],
  ['git show HEAD:a', 'tracked', ['a']],
  ['git show HEAD HEAD:a', 'tracked', ['HEAD', 'a']],
  ['git log --oneline -5', undefined, []],
  ['git log -p', 'tracked', ['.']],
  ['git log -U1 x-1-g1a2b a', 'tracked', ['.']],
  ['git cat-file -p HEAD', 'tracked', ['HEAD']],
  ['git cat-file -t HEAD', undefined, []],
  ['git status', undefined, []],
  ['git stash show', 'tracked', ['.']],
] as const)('%s prints content of directories: %s, %j', (line, searches, below) => {
  const found = judge(line)
  expect(found).toMatchObject(searches ? { searches, below } : { searches })
})

test('a version flag counts only alone', () => {
  for (const program of ['awk', 'mawk', 'sed'])
    for (const option of ['--version', '--help']) {
      expect(judge(`${program} ${option}`)).not.toHaveProperty('odd')
      for (const line of [
        `${program} {system(1)}e ${option}`,
        `${program} ${option} {system(1)}e`,
        `${program} -f x ${option}`,
      ])
        expect(judge(line), line).toHaveProperty('odd')
    }
})

test('after an option without a value the next word is a file', () => {
  expect(judge('strings -o a')).toMatchObject({ files: ['a'] })
  expect(judge('uniq -c a')).toMatchObject({ files: ['a'] })
})

test('knows the usual letters of an option that is split differently', () => {
  for (const line of ['xxd -ps a', 'xxd -c8 -g 1 a', 'tree -dL 2 a', 'tree -L2 -a a'])
    expect(judge(line), line).toMatchObject({ files: ['a'] })
})

test('finds the files in arguments of git after every colon', () => {
  expect(judge('git show :0:.env')).toMatchObject({ files: [':0:.env', '0:.env', '.env'] })
  expect(judge('git log -L1,5:.env')).toMatchObject({ files: ['1,5:.env', '.env'] })
})

test.each([
  ...['ls --hyperlink', 'tail -f a', 'date 01010000', 'date -s x', 'date +%F 0101', 'uniq a b', 'hostname x'],
  ...['set', 'set -x', 'set -o xtrace', 'tree -o x', 'xxd -r a', 'sort -o x a', 'cat --output=x'],
  ...['jq -n env', 'jq -L x .', 'jq -f x', 'echo2', 'fd -l', 'file -C', 'grep -R x', 'base64 -o a b'],
  ...['xxd keep -a', 'uniq a -c', 'uniq -c a --count', 'strings @a', 'strings -n 4 @a'],
  ...['tree -Lo 1 x a', 'tree -Pa x', 'xxd -as 5 a', 'xxd -pl x a', 'xxd -ps x a'],
])('%s may do more, but starts nothing hidden', (line) => {
  const found = judge(line)
  if (found) expect(found).toHaveProperty('odd')
})

test.each([
  ...['rg --pre x y', 'rg -z x', 'sort --compress-program=x', 'find -unknown', 'diff -l a b', 'fd -x a'],
  ...['test -v a', '[ -R a ]', '[ a', 'printf -v a b', 'printf %n a', 'wait -p a', 'jobs -x a', 'file -z a'],
  ...['sed w_x a', 'sed -f x a', 'sed -n', 'awk -f x', 'awk system("x")', 'awk -v ENVIRON=1 1'],
  ...[
    'git log --ext-diff',
    'git diff --no-index a b',
    'git branch x',
    'git branch -D x',
    'git tag v1',
    'git reflog expire',
  ],
  ...[
    'git stash list --exec=x',
    'git show --output=x',
    'git grep -Oless x',
    'git log --show-signature',
    'git cat-file --textconv a',
  ],
])('%s may start programs', (line) => {
  expect(judge(line)).toMatchObject({ odd: expect.any(String), unseen: true })
})

test.each(['rm a', 'command rm', 'git push', 'git stash', 'git', 'npm test', 'constructor'])(
  '%s is not a reader',
  (line) => expect(judge(line)).toBeUndefined(),
)
