// The coverage of a question by passages, and the missing words.
import { expect, test } from 'vitest'
import { computeCoverage } from '../../../internal/retrieval/coverage.ts'
import type { CountedPassage } from '../../../internal/retrieval/weigh.ts'
import { parseQuestion } from '../../../internal/retrieval/words.ts'

const hit = (counts: number[], heading = 'Title', fileWeight = 1, distance = 10) => ({
  path: 'a.md',
  heading,
  symbol: '',
  counted: {
    fileWeight,
    places: Uint16Array.from(
      counts.flatMap((count, i) => (count > 0 ? [distance * i, 2 * i + (count < 1 ? 1 : 0)] : [])),
    ),
    counts: { text: Float32Array.from(counts), heading: undefined, symbol: undefined, path: undefined },
  } as unknown as CountedPassage,
})
const question = await parseQuestion('Which lock protects the journal against Kafka?')
const weights = [1, 1, 1, 3]

test('a word counts if the rest of the question is near', () => {
  expect(question.terms.map(({ word }) => word)).toEqual(['lock', 'protects', 'journal', 'Kafka'])
  expect(computeCoverage(question, weights, [hit([1, 1, 1, 1])])).toMatchObject({
    share: 1,
    missing: [],
    verdict: 'found',
  })
  const apart = computeCoverage(question, weights, [hit([1, 1, 0, 0]), hit([0, 0, 1, 0])])
  expect(apart).toMatchObject({ share: 0.333, missing: ['Kafka'], verdict: 'nothing' })
})

test('weighs a missing name heavily, and a plain word only by its weight', () => {
  expect(computeCoverage(question, [2, 1, 1, 3], [hit([1, 1, 1, 0])])).toMatchObject({
    share: 0.571,
    missing: ['Kafka'],
    verdict: 'partial',
  })
  expect(computeCoverage(question, weights, [hit([1, 1, 0, 1])])).toMatchObject({
    missing: ['journal'],
    verdict: 'found',
  })
})

test('returns the three nearest titles, each once; without passages covers nothing', () => {
  const hits = ['A', 'A', 'B > C', '', 'D'].map((heading) => hit([1, 0, 0, 0], heading))
  expect(computeCoverage(question, weights, hits).headings).toEqual(['A (a.md)', 'B > C (a.md)', 'a.md'])
  expect(computeCoverage(question, [0, 0, 0, 0], [])).toEqual({
    share: 0,
    missing: [],
    mentioned: [],
    verdict: 'nothing',
    headings: [],
  })
})

test('if the requested name is missing, the other words answer nothing', () => {
  expect(computeCoverage(question, [2, 1, 1, 5], [hit([1, 1, 1, 0])])).toMatchObject({
    missing: ['Kafka'],
    verdict: 'nothing',
  })
})

test('words that appear only in tests count what tests do', () => {
  expect(computeCoverage(question, weights, [hit([1, 1, 1, 0]), hit([1, 1, 1, 1], 'T', 0.5)])).toMatchObject({
    share: 0.75,
    missing: [],
    verdict: 'partial',
  })
})

test('scattered words are not an answer', () => {
  const apart = [hit([1, 0, 1, 0]), hit([0, 1, 0, 1]), hit([0, 0, 1, 0])]
  const even = [1, 1, 1, 1]
  expect(computeCoverage(question, even, apart)).toMatchObject({ share: 1, verdict: 'partial' })
  expect(computeCoverage(question, even, [...apart, hit([1, 0, 1, 1])])).toMatchObject({ verdict: 'found' })
})

test('words far apart in a passage answer nothing together', () => {
  const all = [1, 1, 1, 1]
  expect(computeCoverage(question, all, [hit(all)])).toMatchObject({ share: 1, verdict: 'found' })
  expect(computeCoverage(question, all, [hit(all, 'Title', 1, 400)])).toMatchObject({ verdict: 'partial' })
})

test('a passage with all words of one part answers that part, however small the part is', async () => {
  const two = await parseQuestion('How does the store lock files, and what causes a crash?')
  const terms = two.terms.map(({ part }) => part)
  const even = terms.map(() => 1)
  const part = (n: number) => hit(terms.map((own) => (own === n ? 1 : 0)))
  expect(new Set(terms)).toEqual(new Set([0, 1]))
  expect(computeCoverage(two, even, [part(0), part(1)])).toMatchObject({ missing: [], verdict: 'found' })
  expect(computeCoverage(two, even, [part(0)])).toMatchObject({ verdict: 'partial' })
})
