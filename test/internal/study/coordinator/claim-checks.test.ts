// Claims whose quotation was not found get a second look each, which may prove them and never costs a study its end.
import { expect, test } from 'vitest'
import { decideExitCode } from '../../../../internal/study/log/outcome.ts'
import { documentOf } from '../../../../internal/study/report/document.ts'
import { bench, closing, look, oneTask } from '../../../support/study-run.ts'

const text = 'The store locks with O_EXCL.'
const wrong = { claims: [{ text, evidence: 'E1.1', quote: 'the store takes its locks with O_EXCL alone' }] }
const report = { task: 'report', text: `## Answer\n\nIt locks with O_EXCL [C1.1, C2.1].` }
const t2 = (reply: object) => ({ task: 't2', ...reply })

async function study(...replies: object[]) {
  const at = bench()
  const first = [
    { task: 't1', ...look },
    { task: 't1', ...wrong },
  ]
  return at.start({ model: at.script([...first, ...replies]), plan: at.plan(oneTask) })
}

test('a quotation that is found proves the claim in its place', async () => {
  const state = await study(t2(closing('E1.1')), report)
  const { task, checks } = state.tasks.get('t2') ?? {}
  expect({ kind: task?.kind, checks, needs: task?.dependsOn }).toEqual({
    kind: 'verify',
    checks: 'C1.1',
    needs: ['t1'],
  })
  expect(state.status).toBe('done')
  expect(decideExitCode(state)).toBe(0)
  expect(documentOf(state)).toMatchObject({
    citation_accuracy: 1,
    coverage: 1,
    claims: [{ id: 'C2.1', verified: true }],
    // what the worker said stays on record, and its task shows what stands for it
    tasks: [{ id: 't1', claims: ['C2.1'] }, { id: 't2' }],
  })
  expect([...state.recorded.keys()]).toEqual(['C1.1', 'C2.1'])
})

test.each([
  ['finds nothing', t2({ claims: [], gaps: ['no source says it'] })],
  ['quotes wrongly again', t2(wrong)],
  ['fails', t2({ error: { status: 400, message: 'no' } })],
])('a second look that %s leaves the claim as it was, and there is no third', async (_, reply) => {
  const state = await study(reply, { task: 'report', text: '## Answer\n\nIt locks with O_EXCL [C1.1].' })
  expect(state.tasks.size).toBe(2)
  expect(state).toMatchObject({ status: 'partial', reason: 'unverified' })
  expect(decideExitCode(state)).toBe(5)
  expect(state.verdicts.get('C1.1')).toMatchObject({ verified: false, reason: 'quote_missing' })
  expect(documentOf(state).coverage).toBe(0)
})

test('one that is refuted stands beside what refutes it', async () => {
  const against = {
    claims: [
      {
        text: 'The store does not lock with O_EXCL.',
        evidence: 'E1.1',
        quote: 'The store locks files with O_EXCL.',
        stance: 'refutes',
      },
    ],
  }
  const state = await study(t2(against), report)
  expect([...state.claims.keys()]).toEqual(['C1.1', 'C2.1'])
  expect(documentOf(state).contradictions).toEqual([['C1.1', 'C2.1']])
})

test('without a language model, or without a budget, nothing is looked at again', async () => {
  const at = bench()
  const replies = [
    { task: 't1', ...look, usage: { in: 30_000, out: 10 } },
    { task: 't1', ...wrong },
  ]
  const state = await at.start({
    model: at.script(replies),
    plan: at.plan(oneTask),
    budget: { perWorkerTokens: 36_500 },
  })
  expect(state.tasks.get('t1')?.result).toMatchObject({ end: 'budget', claims: ['C1.1'] })
  expect(state.tasks.size).toBe(1)
})
