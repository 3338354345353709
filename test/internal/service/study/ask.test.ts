// Follow-up questions on a study: stored evidence comes first, the log continues, and only one question runs
// at a time.
import { expect, test, vi } from 'vitest'
import { askStudy } from '../../../../internal/service/study/ask.ts'
import { resumeStudy } from '../../../../internal/service/study/resume.ts'
import { decideExitCode } from '../../../../internal/study/log/outcome.ts'
import { viewRound } from '../../../../internal/study/log/round.ts'
import { documentOf } from '../../../../internal/study/report/document.ts'
import { type Bench, bench, closing, look, oneTask } from '../../../support/study-run.ts'

const placement = { inProcess: true, unsafe: false, workerWaitMs: 1000 }
const more = (question: string, limits = { budget: {} }) => ({ question, limits })
const first = [
  { task: 't1', ...look },
  { task: 't1', ...closing('E1.1') },
  { task: 'report', text: '## Answer\n\nIt locks with O_EXCL [C1.1].' },
]
const held = {
  claims: [
    {
      text: 'A lock is held for at most 30 seconds.',
      evidence: 'E1.1',
      quote: 'A lock is held for at most 30 seconds.',
    },
  ],
}
const second = [
  { task: 't2', ...held },
  { task: 'report2', text: '## Answer\n\nFor 30 seconds at most [C2.1].' },
]

const calls = ({ lines }: Bench, task: string) =>
  lines.flatMap(({ kind, data }) =>
    kind === 'step' && data['task'] === task
      ? (data['reply'] as { calls: { name: string }[] }).calls.map(({ name }) => name)
      : [],
  )

async function studied(at: Bench, replies: readonly object[]) {
  const state = await at.start({ model: at.script(replies), plan: at.plan(oneTask) })
  expect(state.status).toBe('done')
  return state.head.id
}

test('answers from stored evidence without a new search, under the same study', async () => {
  const at = bench()
  const id = await studied(at, [...first, ...second])
  const state = await askStudy('last', more('For how long is a lock held?'), placement, at.run)
  expect(state.head.id).toBe(id)
  expect(decideExitCode(state)).toBe(0)
  expect(state).toMatchObject({ round: 1, status: 'done', repaid: 0 })
  expect(state.tasks.get('t2')?.result).toMatchObject({ end: 'done', claims: ['C2.1'], spent: { steps: 1 } })
  const asked = documentOf(state, 1)
  expect(asked).toMatchObject({
    question: 'For how long is a lock held?',
    sections: { answer: 'For 30 seconds at most [C2.1].' },
    sources: [{ canonical: 'doc/lock.md', evidence: ['E1.1'] }],
    citation_accuracy: 1,
    tasks: [{ id: 't2' }],
  })
  const whole = documentOf(state)
  expect(whole).toMatchObject({
    status: 'done',
    sections: { answer: 'It locks with O_EXCL [C1.1].' },
    tasks: [{ id: 't1' }],
    asks: [{ question: 'For how long is a lock held?', status: 'done', claims: ['C2.1'] }],
    repaid_steps: 0,
    duplicate_claims: 0,
  })
})

test('the prompt contains the passages relevant to the question, with their ids, as material', async () => {
  const at = bench()
  const asked: string[] = []
  await studied(at, [...first, ...second])
  const { buildTaskPrompt } = await import('../../../../internal/study/worker/task-prompt.ts')
  const state = await askStudy('last', more('For how long is a lock held?'), placement, at.run)
  asked.push(buildTaskPrompt(state.tasks.get('t2')?.task as never, state))
  expect(asked[0]).toContain('[evidence E1.1 = doc/lock.md, 1-3]')
  expect(asked[0]).toContain('A lock is held for at most 30 seconds.')
  expect(asked[0]).toContain(`The study began with this question: ${state.head.question}`)
})

test('the new task searches for missing evidence, and old tasks do not run again', async () => {
  const at = bench()
  const crash = { calls: [{ name: 'read', args: { path: 'doc/crash.md' } }] }
  const replayed = {
    claims: [{ text: 'The journal is replayed.', evidence: 'E2.1', quote: 'the journal is replayed' }],
  }
  await studied(at, [...first, { task: 't2', ...crash }, { task: 't2', ...replayed, gaps: ['how often'] }])
  const state = await askStudy('last', more('What happens after a crash?'), placement, at.run)
  expect(state.tasks.get('t2')?.result).toMatchObject({ end: 'partial', claims: ['C2.1'] })
  expect(decideExitCode(state)).toBe(3)
  expect(at.lines.filter(({ kind, data }) => kind === 'task.started' && data['task'] === 't1')).toHaveLength(
    2,
  )
  expect(viewRound(state, 0)).toMatchObject({ status: 'done' })
})

test('a known fact of the study also counts for the new question', async () => {
  const at = bench()
  await studied(at, [...first, { task: 't2', ...closing('E1.1') }])
  const state = await askStudy('last', more('How is the lock taken?'), placement, at.run)
  expect(documentOf(state, 1)).toMatchObject({
    status: 'done',
    citation_accuracy: 1,
    claims: [{ id: 'C2.1', verified: true }],
  })
})

test('answers twice with builtin/extract, and reports an unanswered question', async () => {
  const at = bench()
  await at.start({ model: 'builtin/extract', question: 'How does the store lock files?' })
  const state = await askStudy('last', more('For how long is a lock held?'), placement, at.run)
  const held = documentOf(state, 1)
  expect([...held.claims].map(({ quote }) => quote).join('\n')).toContain('30 seconds')
  expect(held).toMatchObject({ answered_from: 'filed', citation_accuracy: 1 })
  expect(held.claims.every(({ evidence, place }) => evidence.startsWith('E1.') && place !== null)).toBe(true)
  expect(calls(at, 't2')).toEqual([])
  const crash = await askStudy('last', more('What happens to the journal behind a crash?'), placement, at.run)
  expect(documentOf(crash, 2)).toMatchObject({ answered_from: 'search' })
  expect(calls(at, 't3')).toEqual(['finder'])
  const none = await askStudy('last', more('Zeppelin upholstery?'), placement, at.run)
  expect(decideExitCode(none)).toBe(1)
  expect(
    documentOf(none)
      .asks.map(({ exit }) => exit)
      .at(-1),
  ).toBe(1)
  expect(decideExitCode(viewRound(none, 0))).toBe(0)
})

test('sources that were read for an unanswered question do not answer the next one', async () => {
  const at = bench()
  const first = await at.start({ model: 'builtin/extract', question: 'Do zeppelins lock upholstery?' })
  expect(first.status).toBe('failed')
  expect(first.evidence.size).toBeGreaterThan(0)
  const state = await askStudy('last', more('For how long is a lock held?'), placement, at.run)
  expect(documentOf(state, 1)).toMatchObject({ status: 'done', answered_from: 'search' })
})

test('continues the budget: used tokens stay used until a new total is set', async () => {
  const at = bench()
  const used = [{ ...first[0], usage: { in: 30_000, out: 1_000 } }, ...first.slice(1), ...second]
  const model = at.script(used)
  await at.start({ model, plan: at.plan(oneTask), budget: { tokens: 60_000 } })
  const short = await askStudy(
    'last',
    more('For how long?', { budget: { tokens: 32_000 } }),
    placement,
    at.run,
  )
  expect(short.tasks.get('t2')?.result).toMatchObject({ end: 'budget', spent: { steps: 0 } })
  expect(decideExitCode(short)).toBe(3)
  const state = await resumeStudy('last', { budget: { tokens: 200_000 } }, placement, at.run)
  expect(state).toMatchObject({ round: 1, status: 'done' })
  expect(viewRound(state, 0).status).toBe('done')
})

test('rejects the second of two simultaneous questions, and mixes nothing up', async () => {
  const at = bench()
  const slow = second.map((reply) => ({ ...reply, delay_ms: 400 }))
  await studied(at, [...first, ...slow])
  const asks = ['For how long is a lock held?', 'What else is there?'].map((question) =>
    askStudy('last', more(question), placement, at.run),
  )
  const ends = await Promise.allSettled(asks)
  const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
  expect(refused).toHaveLength(1)
  expect(refused[0]).toMatchObject({
    exit: 1,
    message: expect.stringMatching(/already running|led by another/),
  })
  const done = ends.find((end) => end.status === 'fulfilled')
  expect(done?.status === 'fulfilled' && done.value.rounds).toHaveLength(2)
})

test('rejects a question while the study runs', async () => {
  const at = bench()
  const slow = first.map((reply) => ({ ...reply, delay_ms: 500 }))
  const running = at.start({ model: at.script(slow), plan: at.plan(oneTask) })
  // waits for its first line, so that a busy machine may take longer to start
  await vi.waitUntil(() => at.lines.length > 0, { timeout: 20_000 })
  await expect(askStudy('last', more('And then?'), placement, at.run)).rejects.toMatchObject({
    exit: 1,
    message: expect.stringContaining('it takes one question at a time'),
  })
  await running
  await expect(askStudy('01ZZZZZZ', more('And then?'), placement, at.run)).rejects.toMatchObject({
    message: expect.stringContaining('unknown study'),
  })
})

test('resumes at the same step after an interruption at any step, and claims nothing twice', {
  timeout: 120_000,
}, async () => {
  const replies = [
    ...first,
    { task: 't2', calls: [{ name: 'read', args: { path: 'doc/crash.md' } }] },
    { task: 't2', text: 'not the object' },
    ...second,
  ]
  for (const n of [1, 2, 3]) {
    const at = bench()
    const id = await studied(at, replies)
    const stop = new AbortController()
    let steps = 0
    const show = ({ kind, data }: { kind: string; data: Readonly<Record<string, unknown>> }) => {
      if (kind === 'step' && data['task'] === 't2' && ++steps === n) stop.abort()
    }
    const paused = await askStudy(id, more('For how long?'), placement, {
      ...at.run,
      signal: stop.signal,
      show,
    })
    expect(paused.status).toBe('paused')
    await expect(askStudy(id, more('Again?'), placement, at.run)).rejects.toMatchObject({ exit: 1 })
    const state = await resumeStudy(id, { budget: {} }, placement, at.run)
    expect(documentOf(state, 1), `step ${n}`).toMatchObject({
      status: 'done',
      repaid_steps: 0,
      duplicate_claims: 0,
      sections: { answer: 'For 30 seconds at most [C2.1].' },
    })
  }
})
