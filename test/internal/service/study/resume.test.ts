// Resumed studies: after a stop at any step, the study continues with the same requests as
// an uninterrupted one.
import { expect, test } from 'vitest'
import { resumeStudy } from '../../../../internal/service/study/resume.ts'
import type { JournalLine } from '../../../../internal/store/journal/journal.ts'
import type { StudyState } from '../../../../internal/study/log/state.ts'
import { type Bench, bench, closing, look, oneTask } from '../../../support/study-run.ts'

const crewing = { inProcess: true, unsafe: false, workerWaitMs: 1000 }
const grep = (pattern: string) => ({ calls: [{ name: 'grep', args: { pattern } }] })
const replies = [
  look,
  {
    calls: [
      ...grep('crash').calls,
      { name: 'read', args: { path: 'doc/crash.md' } },
      { name: 'read', args: { path: 'gone' } },
    ],
  },
  { text: '' },
  grep('nowhere-a'),
  grep('nowhere-b'),
  grep('nowhere-c'),
  { text: 'not the object' },
  closing('E1.1'),
].map((reply) => ({ task: 't1', ...reply }))
const report = { task: 'report', text: '## Answer\n\nIt locks with O_EXCL [C1.1].' }

const claimOf = (evidence: string, text: string) => ({
  ...{ text, evidence, quote: 'locks files with O_EXCL', stance: 'supports', confidence: 0.9 },
})

/** Returns the paid requests of the task, by their hash. */
const requests = (lines: readonly JournalLine[]) =>
  lines.flatMap(({ kind, data }) =>
    kind === 'step' ? [`${data['task']} ${data['n']} ${data['request']}`] : [],
  )

const ids = ({ evidence, claims }: StudyState) => [...evidence.keys(), ...claims.keys()]

/** Starts and stops after the `n`th step, then resumes. */
async function inTwo(
  at: Bench,
  n: number,
  script = [...replies, report],
): Promise<{ state: StudyState; lines: JournalLine[] }> {
  const stop = new AbortController()
  let steps = 0
  const show = ({ kind }: JournalLine) => {
    if (kind === 'step' && ++steps === n) stop.abort()
  }
  const first = await at.start(
    { model: at.script(script), plan: at.plan(oneTask) },
    { signal: stop.signal, show },
  )
  expect(first.status).toBe('paused')
  const lines: JournalLine[] = []
  const state = await resumeStudy(first.head.id, { budget: {} }, crewing, {
    ...at.run,
    show: (line) => void lines.push(line),
  })
  return { state, lines }
}

test('after every step', { timeout: 120_000 }, async () => {
  const whole = bench()
  const undisturbed = await whole.start({
    model: whole.script([...replies, report]),
    plan: whole.plan(oneTask),
  })
  expect(undisturbed.tasks.get('t1')?.result).toMatchObject({ end: 'done', claims: ['C1.1'] })
  const wanted = requests(whole.lines)
  expect(wanted).toHaveLength(replies.length + 1)
  // The files have the same path in every run, because some tools print the path.
  for (let n = 1; n < replies.length; n++) {
    const { state, lines } = await inTwo(whole, n)
    expect(requests(lines), `stopped after step ${n}`).toEqual(wanted)
    expect(ids(state), `stopped after step ${n}`).toEqual(ids(undisturbed))
    expect({ status: state.status, repaid: state.repaid }).toEqual({ status: 'done', repaid: 0 })
  }
})

/** Responses of a worker to the note about its claims, and the evidence of the recorded claims. */
const corrections: readonly (readonly [string, string, readonly string[]])[] = [
  ['a correction', JSON.stringify({ claims: [claimOf('E1.1', 'It locks')], gaps: [] }), ['E1.1', 'E1.1']],
  [
    'a correction that is wrong again',
    JSON.stringify({ claims: [claimOf('E7.7', 'x')], gaps: [] }),
    ['E1.1'],
  ],
  ['an empty correction', JSON.stringify({ claims: [], gaps: [] }), ['E1.1']],
  ['prose', 'I cannot correct it.', ['E1.1']],
]

test.each(corrections)('after the last response and after %s', async (_, correction, evidence) => {
  const wrong = JSON.stringify({
    claims: [claimOf('E1.1', 'O_EXCL is used'), claimOf('E9.9', 'x')],
    gaps: [],
  })
  const task = [look, { text: wrong }, { text: correction }].map((reply) => ({ task: 't1', ...reply }))
  const script = [...task, report]
  const whole = bench()
  const undisturbed = await whole.start({ model: whole.script(script), plan: whole.plan(oneTask) })
  const claims = [...undisturbed.claims.values()]
  expect(claims.map((claim) => claim.evidence)).toEqual(evidence)
  const wanted = requests(whole.lines)
  expect(wanted).toHaveLength(script.length)
  for (let n = 1; n <= task.length; n++) {
    const { state, lines } = await inTwo(whole, n, script)
    expect(requests(lines), `stopped after step ${n}`).toEqual(wanted)
    expect([...state.claims.values()].map(({ text, evidence: id }) => [text, id])).toEqual(
      claims.map(({ text, evidence: id }) => [text, id]),
    )
    expect({ status: state.status, repaid: state.repaid }).toEqual({ status: undisturbed.status, repaid: 0 })
  }
})

test('does not resume a finished study', async () => {
  const at = bench()
  const done = await at.start({ model: at.script([...replies, report]), plan: at.plan(oneTask) })
  await expect(resumeStudy(done.head.id, { budget: {} }, crewing, at.run)).rejects.toMatchObject({ exit: 1 })
  await expect(resumeStudy('01ZZZZZZ', { budget: {} }, crewing, at.run)).rejects.toMatchObject({ exit: 2 })
})
