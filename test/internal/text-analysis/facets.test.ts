// Checks how a question is cut into facets.
import { describe, expect, test } from 'vitest'
import { cutFacets, splitQuestion } from '../../../internal/text-analysis/facets.ts'

const cut: [string, string[]][] = [
  [
    'How does the store lock files, and what happens on a crash?',
    ['How does the store lock files', 'what happens on a crash'],
  ],
  [
    'Where is the lock? Who frees it; when does it expire?',
    ['Where is the lock', 'Who frees it', 'when does it expire'],
  ],
  ['1. locking 2. recovery (3) limits', ['locking', 'recovery', 'limits']],
  ['libsql vs better-sqlite3 versus node:sqlite', ['libsql', 'better-sqlite3', 'node:sqlite']],
  ['locks and how crashes end and files', ['locks', 'how crashes end and files']],
  ['does "lock, and wait" block?', ['does "lock, and wait" block']],
  [
    'How does the store lock files, what does a lock cost, and how long is it held?',
    ['How does the store lock files', 'what does a lock cost', 'how long is it held'],
  ],
  ['Who writes the file, which holds the lock?', ['Who writes the file, which holds the lock']],
  ['What?', []],
  ['', []],
]
describe('parts', () => {
  test.each(cut)('splits the question %s', (question, expected) =>
    expect(splitQuestion(question)).toEqual(expected),
  )
})

test('each part is a facet with its terms', () => {
  expect(cutFacets('How does the store lock files, and what happens on a crash?', 2)).toEqual([
    { objective: 'How does the store lock files', terms: ['store', 'lock', 'file'] },
    { objective: 'what happens on a crash', terms: ['happen', 'crash'] },
  ])
})

test('keeps all parts of a question if there are more parts than workers', () => {
  expect(cutFacets('locking? recovery? limits?', 2)).toHaveLength(3)
})

test('splits a question of one part by its rarest terms, and adds other terms to the nearest', () => {
  const frequency = { store: 9, journal: 2, recovery: 3, crash: 8, lease: 9 }
  expect(cutFacets('store journal lease recovery crash', 2, { frequency })).toEqual([
    { objective: 'journal store lease', terms: ['journal', 'store', 'lease'] },
    { objective: 'recovery crash', terms: ['recovery', 'crash'] },
  ])
})

test('keeps the order of equally rare terms, and starts no facet with a term that no file contains', () => {
  const frequency = { alpha: 0, beta: 4, gamma: 4, delta: 4 }
  expect(cutFacets('alpha beta gamma delta', 2, { frequency }).map(({ terms }) => terms)).toEqual([
    ['beta', 'alpha'],
    ['gamma', 'delta'],
  ])
})

test('makes one facet for one worker or few terms', () => {
  expect(cutFacets('store journal lease recovery', 1)).toHaveLength(1)
  expect(cutFacets('store journal lease', 3)).toHaveLength(1)
})

test('merges facets about the same thing', () => {
  expect(cutFacets('How are store files locked? How are locked store files?', 3)).toEqual([
    {
      objective: 'How are store files locked; How are locked store files',
      terms: ['store', 'file', 'locked'],
    },
  ])
  expect(cutFacets('store lock? store recovery?', 3)).toHaveLength(2)
})
