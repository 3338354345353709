// The run of an agent session to its end. Every error becomes a typed end, and the end is recorded once.
import { messageOf } from '../base/errors.ts'
import type { SessionJobs } from '../tool/jobs.ts'
import { findLastText } from './messages.ts'
import type { RunEnd } from './run-end.ts'
import type { AgentSession, SessionRecord } from './session.ts'
import type { UnansweredCall } from './unanswered-calls.ts'

/** Calls that were denied because no user could answer. */
interface DeniedCalls {
  readonly list: readonly UnansweredCall[]
  /** Returns true if a part of the task is not done because a call was denied. */
  isMissing(): boolean
}

/**
 * Runs a session, records its end and returns it. An error of the run becomes the end `failed`. The end
 * `done` becomes `partial` if the effect of a denied call is missing and no check has proven the work.
 * Rejects only if the record itself cannot be stored.
 */
export async function runAgent(
  session: AgentSession,
  record: SessionRecord,
  denied: DeniedCalls = { list: [], isMissing: () => false },
): Promise<RunEnd> {
  const started = Date.now()
  const last = await session.run().catch((error: unknown): RunEnd => {
    const text = findLastText(session.messages)
    return { end: 'failed', reason: 'internal', message: messageOf(error), text }
  })
  const isProven = session.agent.gate?.proof()?.state === 'proven'
  const isDenied = last.end === 'done' && !isProven && denied.isMissing()
  const end: RunEnd = isDenied ? { end: 'partial', reason: 'denied', text: last.text } : last
  await recordEnd(session, record, end, { ms: Date.now() - started, unanswered: denied.list })
  return end
}

/**
 * Ends the background jobs of the run and records the one event that closes it: its end, the answer,
 * and its usage.
 */
export async function recordEnd(
  { agent: { model, budget, ctx, gate } }: AgentSession,
  record: SessionRecord,
  { text, ...how }: RunEnd,
  { ms, unanswered }: { ms: number; unanswered: readonly UnansweredCall[] },
): Promise<void> {
  const jobs = await endJobs(ctx.can.processes.jobs)
  const { usd, ...totals } = budget.spent
  const calls = unanswered.map(({ rule, ...call }) => ({ ...call, rule: rule ? { ...rule } : undefined }))
  const denied = calls.length === 0 ? {} : { unanswered: calls }
  const payload = {
    ...how,
    answer: text,
    model: model.id,
    totals,
    usd,
    ms,
    ...denied,
    ...jobs,
    proof: gate?.proof(),
  }
  await record.append({ type: 'run.ended', status: how.end, payload })
  record.flush()
}

/**
 * Ends the background jobs of the run and returns how many were started and stopped, or an empty object if
 * none were started. Jobs that belong to the session continue.
 */
async function endJobs(jobs: SessionJobs | undefined) {
  const running = () => (jobs?.opened?.list() ?? []).filter((job) => job.running).length
  const started = jobs?.opened?.list().length ?? 0
  const before = running()
  await jobs?.close()
  return started === 0 ? {} : { jobs: { started, stopped: before - running() } }
}
