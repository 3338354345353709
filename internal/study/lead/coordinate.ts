// Leads one study to its end: plan, tasks, report. All it knows stands in the log, so another process can go on with it.
import { timeLimit } from '../../base/time-limit.ts'
import { ending } from '../outcome.ts'
import { type Ask, type Made, plan } from '../plan/plan.ts'
import type { StudyState } from '../state.ts'
import { type Entries, entry } from '../study.ts'
import { type Chair, chairTask, inChair } from './chair.ts'
import { converse } from './converse.ts'
import { finish } from './finish.ts'
import { aggregator, type Lead } from './lead.ts'
import { isBroke, running } from './schedule.ts'
import { lookMs, runTasks } from './tasks.ts'

/**
 * Returns the state at the end, or, when `soft` aborts, the state to resume from. Throws UserError (exit 1) while
 * another process leads the study, Fenced when one has taken over.
 */
export async function coordinate(lead: Lead, soft: AbortSignal): Promise<StudyState> {
  return inChair(lead, soft, async (chair) => {
    await run(chair, soft)
    await chair.log.catchUp()
    return chair.log.state
  })
}

async function run(chair: Chair, soft: AbortSignal): Promise<void> {
  const { lead, log, write } = chair
  const { journal, engine, study, pid, host } = lead
  const { state } = log
  const status = (data: Entries['status']) => write(entry('status', data))
  const halted = async () => {
    if (!soft.aborted) return state.status === 'cancelled'
    if (state.status !== 'cancelled') await status({ status: 'paused', reason: 'interrupted' })
    return true
  }

  await status({ status: state.plan ? 'running' : 'planning', pid, host })
  if (!state.plan) {
    const made = lead.plan ?? (await makePlan(chair))
    if (await halted()) return
    await write(entry('plan', made, 'plan'))
    await status({ status: 'running', pid, host })
  }
  await journal.mail.join(`study:${study}`, aggregator)
  await runTasks(chair)
  if (await halted()) {
    await engine.cancel(study)
    await settleDown(chair)
    return
  }
  await finish(chair)
  if (await halted()) return
  await status(ending(state))
}

/** The reason of a cancellation that waits for nobody. */
export const forced = 'forced'

/** What the planner is told. */
export const question = (text: string, workers: number, sources: readonly string[]): string =>
  `Question: ${text}\n\nAt most ${workers} tasks. Sources: ${sources.join(', ')}.`

async function makePlan(chair: Chair): Promise<Made> {
  const { lead, log } = chair
  const { head } = log.state
  const frame = { question: head.question, workers: head.workers, sources: head.sources }
  const { frequency } = lead
  const ask: Ask = async (note) => {
    const input = { question: head.question, workers: head.workers, corpus: { frequency } }
    const opening = question(head.question, head.workers, head.sources)
    const talk = await converse(chair, 'plan', { opening, meta: { purpose: 'plan', input } }, chair.check)
    const end = await (note === undefined ? talk.proceed() : talk.insist(note))
    await log.catchUp()
    if (talk.stopped) return { failed: talk.stopped.why, quiet: talk.stopped.why === 'cancelled' }
    if (end.end !== 'failed') return { text: end.text }
    // a script for the workers alone says nothing about the plan
    return { failed: `${end.reason}: ${end.message}`, quiet: end.reason === 'script_exhausted' }
  }
  return plan(frame, { frequency, ask: isBroke(log.state) ? undefined : ask })
}

/** Waits, after a halt, for workers to finish their step and give their tasks back. */
async function settleDown({ lead: { journal, study, leaseMs }, log }: Chair): Promise<void> {
  if (log.state.reason === forced) return
  const until = Date.now() + leaseMs
  while (Date.now() < until && running(log.state).length > 0) {
    const leases = await journal.leases(study)
    if (leases.every(({ task }) => task === chairTask)) break
    await journal.wait(study, log.state.seq, lookMs, timeLimit(lookMs))
    await log.catchUp()
  }
}
