// The state of a study as the fold of its log, for any order in which workers finish.
import { expect, it } from 'vitest'
import type { JournalLine } from '../../../../internal/store/journal/journal.ts'
import {
  makeStudyEntry,
  type StudyClaim,
  type StudyEntries,
  type StudyHead,
  type StudyTask,
} from '../../../../internal/study/log/entries.ts'
import { compareIds } from '../../../../internal/study/log/merged-claims.ts'
import { foldStudy } from '../../../../internal/study/log/state.ts'

const head: StudyHead = {
  id: 's1',
  question: 'q',
  project: '/p',
  root: '/p',
  corpus: 'c',
  model: { name: 'builtin/extract', kind: 'rules' },
  engine: 'embedded',
  workers: 2,
  sources: ['repo'],
  seed: 1,
  maxSteps: 20,
  minCitation: 0.95,
  baseline: false,
  deadline: 0,
  budget: {},
  created: 0,
}
const task = (id: string): StudyTask => ({
  id,
  kind: 'work',
  objective: id,
  terms: [],
  sources: ['repo'],
  boundaries: '',
  output: '',
  stop: '',
  dependsOn: [],
})
const claim = (id: string): StudyClaim => ({
  id,
  task: `t${id[1]}`,
  text: id,
  evidence: `E${id.slice(1)}`,
  quote: id,
  stance: 'supports',
  confidence: 1,
})
const lines = (...made: ReturnType<typeof makeStudyEntry>[]): JournalLine[] =>
  made.map((line, i) => ({ ...line, seq: i + 1, ts: i * 10 }))
const plan: StudyEntries['plan'] = { tasks: [task('t1'), task('t2')], dropped: [], notices: [], of: 'rules' }
const step = (usd: number | null) =>
  makeStudyEntry('step', {
    task: 't1',
    n: 1,
    request: 'h',
    mail: [],
    notes: [],
    reply: { text: '', calls: [{ id: 'a', name: 'grep', args: { pattern: 'lock' } }], end: 'calls' },
    usage: { input: 10, output: 2, usd },
    ms: 1,
  })

it('keeps claims in the order of their ids', () => {
  const state = foldStudy(
    lines(
      makeStudyEntry('study', head),
      makeStudyEntry('plan', plan),
      ...['C2.1', 'C1.10', 'C1.9'].map((id) => makeStudyEntry('claim', claim(id))),
    ),
  )
  expect([...state.claims.keys()]).toEqual(['C1.9', 'C1.10', 'C2.1'])
})

it('follows a task from open to its end and through a lost lease', () => {
  const started = { task: 't1', owner: 'w', pid: 1, host: 'h' }
  const result = {
    end: 'done',
    claims: ['C1.1'],
    gaps: [],
    spent: { tokens: 12, usd: 0, steps: 1, ms: 5 },
  } as const
  const log = lines(
    makeStudyEntry('study', head),
    makeStudyEntry('plan', plan),
    makeStudyEntry('task.started', { ...started, epoch: 1, attempt: 1 }),
    step(0),
    makeStudyEntry('task.lost', { task: 't1', epoch: 1, owner: 'w', why: 'gone' }),
    makeStudyEntry('task.started', { ...started, epoch: 2, attempt: 2 }),
    makeStudyEntry('task.ended', { task: 't1', result }),
    makeStudyEntry('task.not_run', { task: 't2', reason: 'covered' }),
  )
  expect(foldStudy(log.slice(0, 5)).tasks.get('t1')).toMatchObject({
    status: 'open',
    attempts: 1,
    doing: 'grep lock',
  })
  expect(foldStudy(log).tasks.get('t1')).toMatchObject({
    status: 'ended',
    attempts: 2,
    epoch: 2,
    steps: 1,
    started: 20,
  })
  expect(foldStudy(log).tasks.get('t2')).toMatchObject({ status: 'not_run', notRun: 'covered' })
})

it('does not reopen a task that a worker starts in the moment in which it is dropped', () => {
  const start = { epoch: 1, owner: 'w', attempt: 1, pid: 1, host: 'h' }
  const state = foldStudy(
    lines(
      makeStudyEntry('study', head),
      makeStudyEntry('plan', plan),
      makeStudyEntry('task.not_run', { task: 't1', reason: 'budget' }),
      makeStudyEntry('task.started', { task: 't1', ...start }),
    ),
  )
  expect(state.tasks.get('t1')).toMatchObject({ status: 'not_run', epoch: 1 })
})

it('knows the price only while every price is known', () => {
  const priced = foldStudy(
    lines(makeStudyEntry('study', head), makeStudyEntry('plan', plan), step(0.5), step(0.25)),
  )
  expect(priced.usage).toMatchObject({ input: 20, output: 4, usd: 0.75, steps: 2 })
  expect(
    foldStudy(lines(makeStudyEntry('study', head), makeStudyEntry('plan', plan), step(0.5), step(null))).usage
      .usd,
  ).toBe(null)
})

it('skips unknown kinds and rejects a log without a head', () => {
  const state = foldStudy(lines(makeStudyEntry('study', head), { kind: 'later', data: {} }))
  expect(state).toMatchObject({ seq: 2, updated: 10, status: 'planning' })
  expect(() => foldStudy(lines(makeStudyEntry('plan', plan)))).toThrow('begins with its head')
})

it('orders ids by number', () => {
  expect(['E2.1', 'E1.10', 'E1.2'].sort(compareIds)).toEqual(['E1.2', 'E1.10', 'E2.1'])
})

it('assigns a late entry of a lease to that lease', () => {
  const lost = (epoch: number) => makeStudyEntry('task.lost', { task: 't1', epoch, owner: 'w', why: 'gone' })
  const started = (epoch: number) =>
    makeStudyEntry('task.started', { task: 't1', epoch, owner: 'w', attempt: 1, pid: 1, host: 'h' })
  const result = {
    end: 'killed' as const,
    claims: [],
    gaps: [],
    spent: { tokens: 0, usd: 0, steps: 0, ms: 0 },
  }
  const over = makeStudyEntry('task.ended', { task: 't1', result })
  const task = (...made: ReturnType<typeof makeStudyEntry>[]) =>
    foldStudy(lines(makeStudyEntry('study', head), makeStudyEntry('plan', plan), ...made)).tasks.get('t1')
  expect(task(started(1), lost(1))).toMatchObject({ status: 'open', epoch: 1 })
  expect(task(started(1), started(2), lost(1))).toMatchObject({ status: 'leased', epoch: 2 })
  expect(task(started(1), over, lost(2))).toMatchObject({ status: 'ended', epoch: 2 })
})

it('detects tasks that have not been started since another coordinator took over', () => {
  const leads = (pid: number) => makeStudyEntry('status', { status: 'running', pid, host: 'h' })
  const started = makeStudyEntry('task.started', {
    ...{ task: 't1', epoch: 1, owner: 'w', attempt: 1, pid: 1, host: 'h' },
  })
  const isInherited = (...made: ReturnType<typeof makeStudyEntry>[]) =>
    foldStudy(lines(makeStudyEntry('study', head), makeStudyEntry('plan', plan), ...made)).tasks.get('t1')
      ?.inherited === true
  expect(isInherited(leads(1), started)).toBe(false)
  expect(isInherited(leads(1), started, leads(2))).toBe(true)
  expect(isInherited(leads(1), started, leads(2), started)).toBe(false)
})
