// Runs a loop to its end and records all of it; whatever breaks becomes a typed end, and the end is recorded once.
import { messageOf } from '../base/errors.ts'
import type { ModelMessage } from '../model/model.ts'
import { type Agent, agentLoop } from './loop.ts'
import { findLastText } from './messages.ts'
import type { ThreadRecorder } from './recorder.ts'
import type { RunEnd } from './run-end.ts'
import type { UnansweredCall } from './unanswered-calls.ts'

/**
 * Never rejects for what happens in the run; rejects when the record itself cannot be kept. `unanswered` are the calls
 * that were denied for want of an answer: with one of them nothing is done.
 */
export async function runAgent(
  agent: Agent,
  messages: ModelMessage[],
  recorder: ThreadRecorder,
  unanswered: readonly UnansweredCall[] = [],
): Promise<RunEnd> {
  const started = Date.now()
  const last = await steps(agent, messages, recorder)
  const isDenied = last.end === 'done' && unanswered.length > 0
  const end: RunEnd = isDenied ? { end: 'partial', reason: 'denied', text: last.text } : last
  await recordEnd(recorder, agent, end, { ms: Date.now() - started, unanswered })
  return end
}

/** The one event that closes a run: its end, the answer, and what it took. */
export async function recordEnd(
  recorder: ThreadRecorder,
  { model, budget: { spent } }: Pick<Agent, 'model' | 'budget'>,
  { text, ...how }: RunEnd,
  { ms, unanswered }: { ms: number; unanswered: readonly UnansweredCall[] },
): Promise<void> {
  const { input, output, cached, usd, estimated, requests, calls } = spent
  const totals = { input, output, cached, estimated, requests, calls }
  const denied = unanswered.length === 0 ? {} : { unanswered: [...unanswered] }
  const payload = { ...how, answer: text, model: model.id, totals, usd, ms, ...denied }
  await recorder.append({ type: 'run.ended', status: how.end, payload })
  recorder.flush()
}

async function steps(agent: Agent, messages: ModelMessage[], recorder: ThreadRecorder): Promise<RunEnd> {
  const run = agentLoop(agent, messages)
  try {
    for (;;) {
      const step = await run.next()
      if (step.done) return step.value
      await recorder.append(step.value)
    }
  } catch (error) {
    return { end: 'failed', reason: 'internal', message: messageOf(error), text: findLastText(messages) }
  }
}
