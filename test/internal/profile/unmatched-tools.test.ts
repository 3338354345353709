// Entries of tools.disabled that take nothing away, with what they may have meant.
import { expect, test } from 'vitest'
import { findUnmatchedDisabled } from '../../../internal/profile/unmatched-tools.ts'

const names = ['read', 'finder', 'web_search', 'mcp__gh__issue', 'tb__deploy']

test.each([
  ['read', undefined],
  ['*', undefined],
  ['web_*', undefined],
  ['mcp__*', undefined],
  ['mcp__other__x', undefined],
  ['plugin__p__x', undefined],
  ['fnider*', /; did you mean finder/],
  ['web_serch', /; did you mean web_search/],
  ['mcp__gh__isue', /mcp__gh__issue/],
  ['tb__deplyo', /tb__deploy/],
  ['zzzzqqqq', /which is not a tool$/],
])('describes the unmatched name %s', (pattern, said) => {
  const found = findUnmatchedDisabled([pattern], names)
  if (said === undefined) expect(found).toEqual([])
  else expect(found).toEqual([expect.stringMatching(said)])
})
