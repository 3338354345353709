// How much of a question is covered, and what is missing.
import { expect, test } from 'vitest'
import { computeCoverage } from '../../../internal/passages/coverage.ts'
import type { CountedPassage } from '../../../internal/passages/weigh.ts'
import { parseQuestion } from '../../../internal/passages/words.ts'

const hit = (counts: number[], heading = 'Title') => ({
  path: 'a.md',
  heading,
  symbol: '',
  counted: {
    counts: { text: Float32Array.from(counts), heading: undefined, symbol: undefined, path: undefined },
  } as unknown as CountedPassage,
})
const question = await parseQuestion('Which lock protects the journal against Kafka?')
const weights = [1, 1, 1, 3]

test('a word counts where the rest of the question is near', () => {
  expect(question.terms.map(({ word }) => word)).toEqual(['lock', 'protects', 'journal', 'Kafka'])
  expect(computeCoverage(question, weights, [hit([1, 1, 1, 1])])).toMatchObject({
    share: 1,
    missing: [],
    verdict: 'found',
  })
  const apart = computeCoverage(question, weights, [hit([1, 1, 0, 0]), hit([0, 0, 1, 0])])
  expect(apart.missing).toEqual(['journal', 'Kafka'])
})

test('a name that stands nowhere is heavy, a plain word only by its weight', () => {
  expect(computeCoverage(question, weights, [hit([1, 1, 1, 0])])).toMatchObject({
    share: 0.5,
    missing: ['Kafka'],
    verdict: 'partial',
  })
  expect(computeCoverage(question, weights, [hit([1, 1, 0, 1])])).toMatchObject({
    missing: ['journal'],
    verdict: 'found',
  })
})

test('the three nearest titles, each once; nothing covers nothing', () => {
  const hits = ['A', 'A', 'B > C', '', 'D'].map((heading) => hit([1, 0, 0, 0], heading))
  expect(computeCoverage(question, weights, hits).headings).toEqual(['A (a.md)', 'B > C (a.md)', 'a.md'])
  expect(computeCoverage(question, [0, 0, 0, 0], [])).toEqual({
    share: 0,
    missing: [],
    verdict: 'nothing',
    headings: [],
  })
})
