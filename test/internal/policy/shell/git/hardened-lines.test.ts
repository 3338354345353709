// Commands that run with a git that can start nothing, and their directories.
import { expect, test } from 'vitest'
import { foldersOfGit } from '../../../../../internal/policy/shell/git/hardened-lines.ts'

test.each([
  ['git status', ['/w']],
  ["g'i't log | head -5", ['/w']],
  ['cd a && git log; cd b', ['/w', '/w/a', '/w/b', '/w/a/b']],
  ['cd /x && git diff', ['/w', '/x']],
  ['cd ../x && git diff', ['/w', '/x']],
] as const)('%s reads in %j', async (line, folders) => {
  expect((await foldersOfGit(line, '/w', {}))?.sort()).toEqual([...folders].sort())
})

test.each([
  ...[
    'ls',
    'git commit -m x',
    'git status && npm test',
    'git log --ext-diff',
    'git -c a=b log',
    'cd $X && git log',
    'cd a/.. && git log',
  ],
  ...[
    'GIT_DIR=x git log',
    'env git log',
    'git log > x; rm y',
    'git log "',
    ...['cd a; cd b; cd c; cd d; cd e; git log'],
  ],
])('%s does not only read', async (line) => expect(await foldersOfGit(line, '/w', {})).toBeUndefined())
