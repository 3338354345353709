// Lines of diffs with their numbers.
import { expect, it } from 'vitest'
import { countChanges, numberHunks } from '../../../../../internal/page/run/call/hunk-lines.ts'

const hunks =
  '@@ -40,3 +40,4 @@ total\n a\n-b\n+c\n+d\n e\n\\ No newline at end of file\n@@ -90 +91 @@\n-x\n+y\n'

it('numbers added lines as in the new file, removed ones as in the old one', () => {
  const lines = numberHunks(hunks).map(({ kind, number, text }) => `${kind} ${number ?? ''} ${text}`)
  expect(lines.slice(1, 6)).toEqual(['same 40 a', 'removed 41 b', 'added 41 c', 'added 42 d', 'same 43 e'])
  expect(lines.slice(6)).toEqual([
    ...['hunk  \\ No newline at end of file', 'hunk  @@ -90 +91 @@'],
    ...['removed 90 x', 'added 91 y'],
  ])
  expect(countChanges(hunks)).toEqual({ added: 3, removed: 2 })
})

it('counts lines without a head from 1', () => {
  expect(numberHunks('+a\n+@@ b\n').map(({ kind, number }) => [kind, number])).toEqual([
    ['added', 1],
    ['added', 2],
  ])
})
