// Leading a study: one process at a time, lost tasks handed out again under the raised epoch, and not for
// ever.
import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { openCoordinatorContext } from '../../../../internal/service/study/worker-environment.ts'
import type { StudyJob } from '../../../../internal/store/journal/journal.ts'
import { coordinateStudy } from '../../../../internal/study/coordinator/coordinator.ts'
import type { CoordinatorOptions } from '../../../../internal/study/coordinator/coordinator-options.ts'
import { embeddedEngine } from '../../../../internal/study/engine/embedded-engine.ts'
import { makeStudyEntry, type StudyHead } from '../../../../internal/study/log/entries.ts'
import { fileReaderBelow } from '../../../../internal/study/verify/source-reader.ts'
import { workOnTask } from '../../../../internal/study/worker/worker.ts'
import { type Bench, bench, closing, look, unled } from '../../../support/study-run.ts'

const replies = [
  { task: 't1', ...look },
  { task: 't1', ...closing('E1.1') },
  { task: 'report', text: '## Answer\n\nIt locks with O_EXCL [C1.1].' },
]

async function led(at: Bench) {
  const study = await unled(at, replies)
  await study.plan()
  const { journal, ground } = study
  const [first] = await journal.read(study.study, 0, 1)
  const head = first?.data as unknown as StudyHead
  const engine = embeddedEngine(journal.db, { study: head.id, owner: 'here' })
  const seat = study.seat('here')
  const lead: CoordinatorOptions = {
    journal,
    engine,
    study: head.id,
    owner: 'leader',
    pid: process.pid,
    host: hostname(),
    leaseMs: 10_000,
    heartbeatMs: 1000,
    model: await seat.model(head),
    setUpRole: (role, signal) =>
      openCoordinatorContext({ runtime: ground, journal, env: at.env }, head, role, signal),
    frequency: {},
    read: fileReaderBelow(at.dir),
    show: (line) => void at.lines.push(line),
    tend: async () => undefined,
  }
  return { ...study, lead, engine, here: seat }
}
const never = new AbortController().signal

test('a worker that vanishes is replaced; when the second one does too, the task has failed', async () => {
  for (const vanishing of [1, 2]) {
    const at = bench()
    const { lead, engine, journal, here } = await led(at)
    const epochs: number[] = []
    const idle = new AbortController()
    const run = async (job: StudyJob) => {
      epochs.push(job.epoch)
      if (epochs.length > vanishing) return workOnTask(job, here, never)
      // claims, says so, and is never heard of again
      const claimed = await journal.claim(job, `gone-${epochs.length}`, 50)
      if (claimed.state !== 'ok') throw new Error(claimed.state)
      const fence = { task: job.task, epoch: claimed.epoch, owner: `gone-${epochs.length}` }
      const data = { ...fence, attempt: epochs.length, pid: 1, host: 'elsewhere' }
      await journal.append(job.study, [makeStudyEntry('task.started', data)], fence)
    }
    const working = engine.work(run, 1, idle.signal)
    const state = await coordinateStudy(lead, never)
    idle.abort()
    await working
    const result = state.tasks.get('t1')?.result
    if (vanishing === 1) {
      expect(epochs).toEqual([0, 1])
      expect(result).toMatchObject({ end: 'done' })
      expect(state.status).toBe('done')
    } else {
      expect(epochs).toEqual([0, 1])
      expect(result).toMatchObject({ end: 'failed', reason: 'lost' })
      expect(state).toMatchObject({ status: 'failed', reason: 'lost' })
    }
  }
})

test('two do not lead one study', async () => {
  const { lead, journal } = await led(bench())
  await journal.claim({ study: lead.study, task: 'coordinator', epoch: 0 }, 'box-77', 60_000)
  await expect(coordinateStudy(lead, never)).rejects.toMatchObject({
    exit: 1,
    message: expect.stringContaining('already running as pid 77 on box'),
  })
})

test('a deadline that has passed runs nothing', async () => {
  const at = bench()
  const { lead, journal } = await led(at)
  await journal.append(lead.study, [makeStudyEntry('limits', { deadline: Date.now() - 1, budget: {} })])
  const state = await coordinateStudy(lead, never)
  expect(state.tasks.get('t1')).toMatchObject({ status: 'not_run', notRun: 'deadline' })
  expect(state).toMatchObject({ status: 'partial', reason: 'deadline' })
})
