// Diffs for one known file, and the messages about hunks that were applied elsewhere.
import { expect, it } from 'vitest'
import { landingNote, readOwnDiff } from '../../../internal/patch/single-file-diff.ts'
import { refusalOf } from '../../support/refusal.ts'

const hunk = '@@ -1 +1 @@\n-a\n+b\n'

it.each([
  ['hunks alone', hunk],
  ['its own name', `--- a/src/f.ts\n+++ b/src/f.ts\n${hunk}`],
  ['a name seen from elsewhere', `--- f.ts\n+++ f.ts\n${hunk}`],
  ['an envelope', '*** Begin Patch\n*** Update File: src/f.ts\n-a\n+b\n*** End Patch'],
])('takes %s', (_, text) => {
  expect(readOwnDiff(text, 'src/f.ts')).toHaveLength(1)
})

it.each([
  ['two files', `--- f.ts\n+++ f.ts\n${hunk}--- g\n+++ g\n${hunk}`],
  ['another file', `--- a/g.ts\n+++ b/g.ts\n${hunk}`],
  ['a new file', '--- /dev/null\n+++ b/f.ts\n@@ -0,0 +1 @@\n+a\n'],
  ['a mode', `diff --git a/f.ts b/f.ts\nold mode 100644\nnew mode 100755\n--- a/f.ts\n+++ b/f.ts\n${hunk}`],
])('rejects %s', async (_, text) => {
  expect(await refusalOf(() => readOwnDiff(text, 'src/f.ts'))).toMatchObject({
    code: 'bad_patch',
    hint: expect.stringContaining('apply_patch'),
  })
})

it.each([
  [{ offset: 0, fuzz: 0, match: 'exact' }, ''],
  [{ offset: 0, fuzz: 0, match: 'line_ends' }, ''],
  [{ offset: 14, fuzz: 0, match: 'exact' }, 'hunk 2 went in at line 9, 14 lines below its number'],
  [
    { offset: -1, fuzz: 1, match: 'trailing_whitespace' },
    'hunk 2 went in at line 9, 1 line above its number, with fuzz 1, ignoring trailing whitespace',
  ],
] as const)('%j', (landing, note) => {
  expect(landingNote({ hunk: 2, line: 9, ...landing })).toBe(note)
})
