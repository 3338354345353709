import { describe, expect, it } from 'vitest'
import {
  dropUnknownCitations,
  findCitedClaims,
  markUncited,
  removeLinks,
  replaceCitations,
} from '../../../../internal/study/verify/citations.ts'
import { claim } from '../../../support/study.ts'

const claims = new Map(
  [
    claim('C1.1', 'see https://example.org/known here'),
    claim('C2.10', 'two'),
    claim('C3.1', 'One. Two "3" is.'),
  ].map((one) => [one.id, one]),
)

it('finds citations, alone and several in one bracket', () => {
  expect(findCitedClaims('a [C1.1], b [C2.1, C1.1;C3.12]. c [x] [C1]')).toEqual(['C1.1', 'C2.1', 'C3.12'])
  expect(replaceCitations('a [C1.1, C2.1]', (ids) => `<${ids.join('+')}>`)).toBe('a <C1.1+C2.1>')
})

it('removes unknown ids', () => {
  expect(dropUnknownCitations('A [C1.1, C9.9]. B [C9.9]. C.', claims)).toBe('A [C1.1]. B. C.')
})

it('leaves positions to the harness', () => {
  expect(removeLinks('[text](http://evil.example) ![x](data:image/png;base64,AA)', claims.values())).toBe(
    'text x',
  )
  expect(removeLinks('at http://evil.example/a?b=1. End', claims.values())).toBe('at (address left out) End')
  expect(removeLinks('"see https://example.org/known here"', claims.values())).toBe(
    '"see https://example.org/known here"',
  )
  expect(removeLinks('[C1.1]', claims.values())).toBe('[C1.1]')
})

describe('markUncited', () => {
  it.each([
    ['It waits 5 seconds.', 'It waits 5 seconds. [uncited]', 1],
    ['It waits 5 seconds. [C1.1] It retries.', 'It waits 5 seconds. [C1.1] It retries.', 0],
    [
      'It waits 5 seconds [C1.1]. It retries 3 times.',
      'It waits 5 seconds [C1.1]. It retries 3 times. [uncited]',
      1,
    ],
    ['"It is 5." [C1.1] against "It is 6." [C2.10]', '"It is 5." [C1.1] against "It is 6." [C2.10]', 0],
    ['It waits 5 seconds. [C1.1] and 6 more', 'It waits 5 seconds. [C1.1] and 6 more', 0],
    ['The lock is held by Redis.', 'The lock is held by Redis. [uncited]', 1],
    ['The lock is held by the store.', 'The lock is held by the store.', 0],
    ['1. The first is short.', '1. The first is short.', 0],
    ['- Written in 2019', '- Written in 2019 [uncited]', 1],
    ['### Release 4', '### Release 4', 0],
    ['None.', 'None.', 0],
    ['```\nx = 1\n```', '```\nx = 1\n```', 0],
    ['It waits 5 s. [uncited]', 'It waits 5 s. [uncited]', 1],
    ['- "One. Two "3" is." [C3.1]', '- "One. Two "3" is." [C3.1]', 0],
    ['- "One. Two "3" is."', '- "One. Two "3" is." [uncited]', 1],
  ])('%j', (text, expected, uncited) =>
    expect(markUncited(text, claims.values())).toEqual({ text: expected, uncited }),
  )
})
