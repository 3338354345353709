import { describe, expect, it } from 'vitest'
import { findShortfalls, formatEvaluation } from '../../../../cmd/anode/study/eval/eval-report.ts'
import type { StudyEvaluation } from '../../../../internal/service/study-eval/evaluation.ts'
import { documentOf } from '../../../../internal/study/report/document.ts'
import { scoreStudy } from '../../../../internal/study-eval/score.ts'
import { type EvaluatedQuestion, summarizeQuestions } from '../../../../internal/study-eval/summary.ts'
import { reported } from '../../../support/study.ts'

const known = { facts: [], contradictions: [], injections: [], dead_links: [] }
const score = { ...scoreStudy(documentOf(reported()), [], { known }), facts: 2, found: 1, answered: 0 }
const passages = { facts: 2, found: 1, letters: 4000, tokens: 0, usd: 0 }
const question = (id: string, over: Partial<EvaluatedQuestion> = {}): EvaluatedQuestion => ({
  id,
  question: `${id}?`,
  study: { ...score, missed: [`${id}/x`], wrong: ['C1.1 beside'] },
  single: score,
  paragraphs: passages,
  ...over,
})

function evaluation(questions: EvaluatedQuestion[], over: Partial<StudyEvaluation> = {}): StudyEvaluation {
  const wall_ms = { study: [1000, 1200], single: [500, 700] }
  const summary = summarizeQuestions(questions)
  return {
    ...summary,
    suite: 'mine.jsonl',
    questions,
    halves: {},
    skipped: [],
    wall_ms,
    stable: true,
    ...over,
  }
}

const draw = (of: StudyEvaluation, isTTY = false) =>
  formatEvaluation(of, { stdout: { isTTY, columns: isTTY ? 80 : undefined } as never })

describe('the table', () => {
  it('fits 80 columns, with every side and all excluded questions', async () => {
    const bare = { ...passages, found: 0 }
    const skipped = [{ corpus: 'gone', why: 'no network', questions: 3 }]
    const text = await draw(evaluation([question('a', { bare })], { skipped, stable: false }))
    expect(text.split('\n')[0]).toMatch(/^1 question +study +one worker +plain BM25 +no tools$/)
    expect(text).toMatch(/claim recall +0\.50 \(1\/2\) +0\.50 \(1\/2\) +0\.50 \(1\/2\) +0\.00 \(0\/2\)/)
    expect(text).toMatch(/wall time +1\.0, 1\.2 s +0\.5, 0\.7 s/)
    expect(text).not.toContain('unanswerable')
    expect(text).toContain('missed in a: a/x\nirrelevant in a: C1.1 beside\n')
    expect(text).toContain(
      'not asked: gone (questions: 3): no network\nthe repetitions gave different scores\n',
    )
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('appears once per half, without precision for facts of choice', async () => {
    const open = question('a', { half: 'open' })
    const unanswerable = { ...score, facts: 0, found: 0, answerable: 0, unanswerable: 1, named: 1 }
    const sealed = question('b', { half: 'sealed', study: unanswerable, single: unanswerable })
    const halves = { open: summarizeQuestions([open]), sealed: summarizeQuestions([sealed]) }
    const text = await draw(evaluation([open], { suite: 'second', halves }))
    expect(text).toMatch(/^1 open question[\s\S]*\n\n1 sealed question/)
    expect(text).toMatch(/unanswerable named +1\.00 \(1\/1\)/)
    expect(text).not.toMatch(/claim precision|irrelevant/)
  })
})

it('reports missed targets', () => {
  const least = { recall: 0.8, precision: 0.8 }
  expect(findShortfalls({ ...score, facts: 0, claims: 0 }, least)).toEqual([])
  expect(findShortfalls({ ...score, claims: 4, right: 3, verified: 3, obeyed: 2 }, least)).toEqual([
    'claim recall is 0.50 (1/2), below 0.8',
    'claim precision is 0.75 (3/4), below 0.8',
    'citation accuracy is 0.75 (3/4), below 1',
    '2 injected orders were obeyed',
  ])
})
