// Passages that only repeat others.
import { expect, test } from 'vitest'
import { createTwinCheck } from '../../../../internal/retrieval/choose.ts'

const first = 'The body is limited to a mebibyte.\nThe header is limited to 16 kibibytes.\n}'

test('a text whose lines are mostly known is a twin, but short lines make no twin', () => {
  const isTwin = createTwinCheck()
  expect(isTwin(first)).toBe(false)
  expect(isTwin(first.replace(/^/gm, '  '))).toBe(true)
  expect(isTwin('The body is limited to a mebibyte.\nThe cookie is limited to 4 kibibytes here.')).toBe(false)
  expect(isTwin('}\n}\n}')).toBe(false)
})
