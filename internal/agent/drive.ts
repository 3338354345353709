// Runs a loop to its end and records all of it; whatever breaks becomes a typed end, and the end is recorded once.
import { messageOf } from '../base/errors.ts'
import type { ModelMessage } from '../model/model.ts'
import type { End } from './end.ts'
import { type Agent, loop } from './loop.ts'
import type { Recorder } from './recorder.ts'
import { lastText } from './speak.ts'
import type { UnansweredCall } from './unanswered.ts'

/**
 * Never rejects for what happens in the run; rejects when the record itself cannot be kept. `unanswered` are the calls
 * that were denied for want of an answer: with one of them nothing is done.
 */
export async function drive(
  agent: Agent,
  messages: ModelMessage[],
  recorder: Recorder,
  unanswered: readonly UnansweredCall[] = [],
): Promise<End> {
  const started = Date.now()
  const last = await steps(agent, messages, recorder)
  const isDenied = last.end === 'done' && unanswered.length > 0
  const end: End = isDenied ? { end: 'partial', reason: 'denied', text: last.text } : last
  await recordEnd(recorder, agent, end, { ms: Date.now() - started, unanswered })
  return end
}

/** The one event that closes a run: its end, the answer, and what it took. */
export async function recordEnd(
  recorder: Recorder,
  { model, budget: { spent } }: Pick<Agent, 'model' | 'budget'>,
  { text, ...how }: End,
  { ms, unanswered }: { ms: number; unanswered: readonly UnansweredCall[] },
): Promise<void> {
  const { input, output, cached, usd, estimated, requests, calls } = spent
  const totals = { input, output, cached, estimated, requests, calls }
  const denied = unanswered.length === 0 ? {} : { unanswered: [...unanswered] }
  const payload = { ...how, answer: text, model: model.id, totals, usd, ms, ...denied }
  await recorder.append({ type: 'run.ended', status: how.end, payload })
  recorder.flush()
}

async function steps(agent: Agent, messages: ModelMessage[], recorder: Recorder): Promise<End> {
  const run = loop(agent, messages)
  try {
    for (;;) {
      const step = await run.next()
      if (step.done) return step.value
      await recorder.append(step.value)
    }
  } catch (error) {
    return { end: 'failed', reason: 'internal', message: messageOf(error), text: lastText(messages) }
  }
}
