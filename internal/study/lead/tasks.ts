// Hands out the tasks of a study and watches over them until all are over.

import type { TaskState } from '../state.ts'
import { type Entries, entry, type TaskEnd } from '../study.ts'
import { freeMail } from '../work/post.ts'
import { attempts } from '../work/worker.ts'
import type { Chair } from './chair.ts'
import {
  allOver,
  endKey,
  isBroke,
  isCovered,
  isLimited,
  lost,
  open,
  ready,
  replan,
  running,
} from './schedule.ts'

/** How often leases are looked at. */
export const lookMs = 400

/** How long running steps are waited for after the deadline; every worker ends them at the deadline itself. */
const graceMs = 15_000

/** Returns when all tasks are over, or when the study is halted. */
export async function runTasks(chair: Chair): Promise<void> {
  const { lead, log, gone } = chair
  const { journal, study } = lead
  const { state } = log
  const handed = new Map<string, number>()
  // who worked for a coordinator that died has lost nothing that counts against the task
  const inherited = new Set(running(state).map(({ owner = '' }) => owner))
  if (isBroke(state)) await skipOpen(chair, 'budget')
  let looked = 0
  let ends = log.ended.length
  while (!allOver(state)) {
    const stop = await chair.check()
    if (stop?.why === 'deadline') await runOut(chair)
    else if (stop) return
    else {
      if (lead.model.kind === 'llm') await adapt(chair, log.ended.slice(ends))
      ends = log.ended.length
      await handOut(chair, handed)
    }
    if (performance.now() - looked > lookMs) {
      looked = performance.now()
      await lead.tend(state)
      await findLost(chair, inherited)
    }
    if (!allOver(state)) await journal.wait(study, state.seq, lookMs, gone)
    await log.catchUp()
  }
}

/** One job for each task and epoch. */
async function handOut({ lead, log }: Chair, handed: Map<string, number>): Promise<void> {
  const { journal, engine, study } = lead
  for (const { task, epoch } of ready(log.state)) {
    if (handed.get(task.id) === epoch) continue
    const job = { study, task: task.id, epoch }
    await journal.enqueued(job)
    await engine.enqueue(job)
    handed.set(task.id, epoch)
  }
}

/** Another try at what a stalled worker did not find, and no further one once the rest would add little. */
async function adapt(chair: Chair, ended: readonly string[]): Promise<void> {
  const { log, write } = chair
  for (const id of ended) {
    const more = replan(log.state, id)
    if (more) await write(entry('task.added', { task: more, why: `${id} stalled`, of: id }))
  }
  if (isCovered(log.state, log.ended)) await skipOpen(chair, 'covered')
}

async function skipOpen(chair: Chair, reason: Entries['task.not_run']['reason']): Promise<void> {
  for (const known of open(chair.log.state)) {
    const task = known.task.id
    const written = await chair.write(entry('task.not_run', { task, reason }, endKey(known)))
    if (written && !isLimited({ notRun: reason })) await close(chair, task)
  }
}

/** The deadline has passed: nothing new is begun, and who does not stop by itself is stopped. */
async function runOut(chair: Chair): Promise<void> {
  const { lead, log } = chair
  const { state } = log
  await lead.engine.cancel(lead.study)
  await skipOpen(chair, 'deadline')
  if (Date.now() < state.head.deadline + graceMs) return
  for (const known of running(state)) {
    await end(chair, known, { ...nothing(known.task.objective), end: 'timed_out', reason: 'deadline' })
  }
}

/** Tasks whose worker is gone: tried again under the raised epoch, or failed when that was the last attempt. */
async function findLost(chair: Chair, inherited: ReadonlySet<string>): Promise<void> {
  const { lead, log, write } = chair
  const { journal, study } = lead
  // leases are taken before a start is written and given back after an end is: so the log is read before and after
  const before = new Map(running(log.state).map(({ task, epoch }) => [task.id, epoch]))
  if (before.size === 0) return
  const leases = await journal.leases(study)
  await log.catchUp()
  for (const known of lost(log.state, leases)) {
    const { task, epoch, owner = '', attempts: tried } = known
    if (before.get(task.id) !== epoch) continue
    const free = inherited.has(owner)
    const why = free ? 'its worker went with the coordinator before' : 'its worker is gone'
    const data = { task: task.id, epoch, owner, why, ...(free && { free }) }
    await write(entry('task.lost', data, `lost:${task.id}:${epoch}`))
    await journal.release(study, task.id, owner, false)
    await freeMail(journal.mail, `study:${study}`, task.id, log.lines)
    if (free || tried < attempts) continue
    const detail = `${tried} workers were lost`
    await end(chair, known, { ...nothing(task.objective), end: 'failed', reason: 'lost', detail })
  }
}

const nothing = (objective: string) => ({
  claims: [],
  gaps: [objective],
  spent: { tokens: 0, usd: 0, steps: 0, ms: 0 },
})

async function end(chair: Chair, known: TaskState, result: TaskEnd): Promise<void> {
  const task = known.task.id
  if (await chair.write(entry('task.ended', { task, result }, endKey(known)))) await close(chair, task)
}

/** Makes sure that no job for a task that is over is worked on. */
async function close({ lead: { journal, study, owner } }: Chair, task: string): Promise<void> {
  const holder = (await journal.leases(study)).find((lease) => lease.task === task)?.owner
  if (holder !== undefined) return journal.release(study, task, holder, true)
  const claimed = await journal.claim({ study, task, epoch: Number.MAX_SAFE_INTEGER }, owner, 1000)
  if (claimed.state === 'ok') await journal.release(study, task, owner, true)
}
