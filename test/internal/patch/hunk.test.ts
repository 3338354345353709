// One hunk: where it ends when its counts are right, and where when they are not.
import { expect, it } from 'vitest'
import { readHunk } from '../../../internal/patch/hunk.ts'

it.each<[string, string[], number, number]>([
  ['by its counts', ['@@ -1,2 +1,2 @@', ' a', '-b', '+c', ' not mine'], 4, 5],
  ['by its counts before a signature', ['@@ -1 +1 @@', '-b', '+c', '-- ', '2.39.5'], 2, 3],
  ['at the next hunk', ['@@ -1,9 +1 @@', '-b', '+c', '@@ -5 +5 @@', '-x'], 2, 3],
  ['at the next file', ['@@ -1,9 +1 @@', '-b', '+c', '--- a/g', '+++ b/g', '@@ -1 +1 @@'], 2, 3],
  ['at the next section', ['@@ -1,9 +1 @@', '-b', '+c', 'diff --git a/g b/g'], 2, 3],
  ['at the end, less blank lines', ['@@ -1,9 +1 @@', '-b', '+c', '', ''], 2, 5],
  ['not at what only looks like a file', ['@@ -1,9 +1 @@', '--- a', '+++ b', ' c'], 3, 4],
])('ends %s', (name, lines, count, next) => {
  const expected = name === 'by its counts' ? { lines: 4, next: 5 } : { lines: count, next }
  const read = readHunk(lines, 0, 1)
  expect({ lines: read.hunk.lines.length, next: read.next }).toEqual(expected)
})

it('reads all lines of a hunk if the counts of its header are too small', () => {
  const { hunk } = readHunk(['@@ -7,2 +7,2 @@ func x()', ' a', '-b', '+c', ' d'], 0, 3)
  expect(hunk).toMatchObject({ number: 3, start: 7, header: '@@ -7,2 +7,2 @@ func x()' })
  expect(hunk.lines).toHaveLength(4)
})
