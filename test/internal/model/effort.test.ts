// Checks the names of efforts and what becomes of one a model does not know.
import { expect, test } from 'vitest'
import { effortOf, nearestEffort } from '../../../internal/model/effort.ts'
import type { Effort } from '../../../internal/model/model.ts'

test.each([
  [0, 'none'],
  [1, 'minimal'],
  [2, 'low'],
  [3, 'medium'],
  [4, 'high'],
  [5, 'xhigh'],
  [6, 'max'],
  [-1, 'none'],
  [9, 'max'],
] as const)('level %i is %s', (level, name) => expect(effortOf(level)).toBe(name))

const cases: [Effort, Effort[], Effort | undefined][] = [
  ['medium', ['low', 'medium', 'high'], 'medium'],
  ['none', ['low', 'medium', 'high'], 'low'],
  ['max', ['low', 'medium', 'high'], 'high'],
  ['medium', ['low', 'high'], 'low'],
  ['medium', ['high', 'max'], 'high'],
  ['low', [], undefined],
]
test.each(cases)('%s of %j is %s', (wanted, accepted, got) =>
  expect(nearestEffort(wanted, accepted)).toBe(got),
)
