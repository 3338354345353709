import { describe, expect, it } from 'vitest'
import { documentOf } from '../../../internal/study/report/document.ts'
import { scoreStudy } from '../../../internal/study-eval/score.ts'
import {
  type EvaluatedQuestion,
  summarizeQuestions,
  withoutSealed,
} from '../../../internal/study-eval/summary.ts'
import { reported } from '../../support/study.ts'

const nothing = { facts: [], contradictions: [], injections: [], dead_links: [] }
const empty = scoreStudy(documentOf(reported()), [], { known: nothing })
const passages = (found: number) => ({ facts: 2, found, letters: 100, tokens: 0, usd: 0 })

const question = (id: string, found: number, over: Partial<EvaluatedQuestion> = {}): EvaluatedQuestion => ({
  id,
  question: `${id}?`,
  study: { ...empty, facts: 2, found, answered: found, missed: [`${id}/x`], wrong: ['C1.1 so'] },
  single: { ...empty, facts: 2, found: 0, missed: [`${id}/x`, `${id}/y`] },
  paragraphs: passages(1),
  ...over,
})

describe('a summary', () => {
  it('adds the sides up and has intervals around the shares', () => {
    const it = summarizeQuestions([question('a', 2), question('b', 2), question('c', 0)])
    expect(it).toMatchObject({
      asked: 3,
      study: { facts: 6, found: 4 },
      paragraphs: { found: 3, letters: 300 },
    })
    expect(it.bare).toBeNull()
    expect(it.intervals.recall).toEqual([0, 1])
    expect(it.intervals.overParagraphs).toEqual([-0.5, 0.5])
    expect(it.intervals.named).toBeNull()
  })

  it('does not know the price of all when it does not know that of one', () => {
    const bare = { ...passages(1), tokens: 5, usd: 0.5 }
    const sum = (usd: number | null) =>
      summarizeQuestions([question('a', 1, { bare }), question('b', 1, { bare: { ...bare, usd } })]).bare
    expect(sum(0.25)).toMatchObject({ found: 2, tokens: 10, usd: 0.75 })
    expect(sum(null)?.usd).toBeNull()
  })
})

it('keeps what is known of single sealed questions back, and their figures not', () => {
  const all = [question('a', 1, { half: 'open' }), question('b', 1, { half: 'sealed' })]
  const shown = withoutSealed(all)
  expect(shown[0]).toEqual(all[0])
  expect(JSON.stringify(shown[1])).not.toMatch(/b\/x|b\/y|C1\.1 so/)
  expect(shown[1]?.study.found).toBe(1)
  expect(summarizeQuestions(shown).study.missed).toEqual(['a/x'])
})
