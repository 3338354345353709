// Which names a match covers, and which matches are not taken from foreign data.
import { expect, test } from 'vitest'
import { matchesName, readNameMatch } from '../../../../internal/model/catalog/name-match.ts'

test.each([
  [{ equals: 'a' }, 'a', 'ab'],
  [{ starts_with: 'a' }, 'ab', 'ba'],
  [{ ends_with: 'a' }, 'ba', 'ab'],
  [{ contains: 'a' }, 'bab', 'bb'],
  [{ regex: '^a\\d$' }, 'A1', 'a12'],
  [{ or: [{ equals: 'a' }, { equals: 'b' }] }, 'b', 'c'],
  [{ and: [{ starts_with: 'a' }, { ends_with: 'b' }] }, 'ab', 'aa'],
])('%j covers %s and not %s', (value, yes, no) => {
  const match = readNameMatch(value)
  if (!match) throw new Error('not read')
  expect(matchesName(match, yes)).toBe(true)
  expect(matchesName(match, no)).toBe(false)
  expect(matchesName(match, yes.repeat(300))).toBe(false)
})

test.each([
  undefined,
  'a',
  {},
  { equals: 7 },
  { or: [] },
  { or: [{ equals: 'a' }, 7] },
  { regex: '(' },
  { regex: '(a+)+$' },
  { regex: 'a'.repeat(300) },
])('%j is not taken', (value) => {
  expect(readNameMatch(value)).toBeUndefined()
})
