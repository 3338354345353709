// code_review: the order of the review, the text for the model, and reviews without a model.
import { expect, test } from 'vitest'
import { parseArguments } from '../../../../internal/tool/parse.ts'
import type { ReviewRequest, ReviewResult } from '../../../../internal/tool/review.ts'
import { codeReview } from '../../../../internal/tools/agents/code_review.ts'
import { call, ctxWith } from '../../../support/ctx.ts'

const answer: ReviewResult = {
  end: 'partial',
  empty: false,
  findings: [
    {
      file: 'a.ts',
      line: 3,
      severity: 'high',
      title: 'Lost',
      detail: 'When full,\nit drops.',
      check: 'errors',
    },
    { file: 'b.ts', line: 1, severity: 'low', title: 'Slow', detail: '' },
  ],
  notes: ['style gave no answer: time'],
  files: ['a.ts', 'b.ts'],
  parts: [
    { name: 'review', check: false, end: 'done', reason: undefined, threads: ['t1'], findings: 1 },
    { name: 'errors', check: true, end: 'done', reason: undefined, threads: ['t2'], findings: 1 },
  ],
  model: 'm',
  tokens: 5,
  usd: 0,
  ms: 1,
}

async function order(args: object, reviewed: ReviewResult = answer) {
  const orders: ReviewRequest[] = []
  const review = async (given: ReviewRequest) => {
    orders.push(given)
    return reviewed
  }
  return {
    result: await call(codeReview, { diff_description: 'd', ...args }, ctxWith({ agents: { review } })),
    order: orders[0],
  }
}

test.each([
  [{}, { description: 'd', reviewer: true, checks: 'changes', effort: 'low', timeoutMs: 600_000 }],
  [
    { files: ['a.ts'], instructions: 'mind races', thinking: 'high' },
    { files: ['a.ts'], focus: 'mind races', effort: 'high' },
  ],
  [
    { check_scope: 'all', check_filter: ['err*'], checks_only: true },
    { checks: 'all', only: ['err*'], reviewer: false },
  ],
  [{ check_scope: 'changes' }, { checks: 'changes' }],
])('%j', async (args, expected) => {
  expect((await order(args)).order).toMatchObject(expected)
})

test('prints findings, notes and the parts that ran', async () => {
  const { result } = await order({})
  expect(result.failed).toBeUndefined()
  expect(result.data).toEqual(answer)
  expect(result.text).toBe(
    [
      'high  a.ts:3  Lost [errors]',
      '  When full,',
      '  it drops.',
      'low  b.ts:1  Slow',
      'note: style gave no answer: time',
      '[partial; 2 findings; ran: the reviewer, errors; 2 files]',
    ].join('\n'),
  )
})

test('a review without any answer fails', async () => {
  const { result } = await order({}, { ...answer, end: 'failed', findings: [], parts: [] })
  expect(result.failed?.code).toBe('run_failed')
})

test('is rejected in subagents and without a description', () => {
  expect(codeReview.available?.(ctxWith())).toContain('child')
  expect(codeReview.offer?.spawns).toBe(true)
  expect(codeReview.effect?.({} as never)).toBe('spawn')
  expect(parseArguments(codeReview.input, {}).ok).toBe(false)
  expect(parseArguments(codeReview.input, codeReview.example).ok).toBe(true)
})
