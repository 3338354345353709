// Effort levels that a model does not know, and their replacements.
import { expect, test } from 'vitest'
import { nearestEffort } from '../../../internal/model/effort.ts'
import type { Effort } from '../../../internal/model/model.ts'

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
