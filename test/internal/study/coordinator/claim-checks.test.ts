// Checks of claims whose quote was not found: a second worker may prove the claim, and a failed check never
// fails the study.
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

test('a quote that is found replaces the claim with a proven one', async () => {
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
    // the original claim stays recorded, and its task shows the new claim
    tasks: [{ id: 't1', claims: ['C2.1'] }, { id: 't2' }],
  })
  expect([...state.recorded.keys()]).toEqual(['C1.1', 'C2.1'])
})

test.each([
  ['finds nothing', t2({ claims: [], gaps: ['no source says it'] })],
  ['quotes wrongly again', t2(wrong)],
  ['fails', t2({ error: { status: 400, message: 'no' } })],
])('a second check that %s keeps the claim as it was, and no third check runs', async (_, reply) => {
  const state = await study(reply, { task: 'report', text: '## Answer\n\nIt locks with O_EXCL [C1.1].' })
  expect(state.tasks.size).toBe(2)
  expect(state).toMatchObject({ status: 'partial', reason: 'unverified' })
  expect(decideExitCode(state)).toBe(5)
  expect(state.verdicts.get('C1.1')).toMatchObject({ verified: false, reason: 'quote_missing' })
  expect(documentOf(state).coverage).toBe(0)
})

test('a refuted claim appears next to the claim that refutes it', async () => {
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

test('checks nothing again without a language model or without a budget', async () => {
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
