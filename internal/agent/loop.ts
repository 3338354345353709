// The agent loop: read new messages, check the limits, ask the model, run its calls, repeat. It knows no tool
// by name, no provider, no screen and no file.
import type { EventDraft } from '../event/event.ts'
import type { ModelMessage, ModelToolCall } from '../model/model.ts'
import { abortedEnd, emptyReplyEnd, failedEnd, withheldReplyEnd } from './abnormal-end.ts'
import type { Agent } from './agent.ts'
import { appendInterruptedReply, appendReply, appendUserMessage, findLastText } from './messages.ts'
import { modelNotes } from './model-notes.ts'
import { runReplyCalls, stopAt, stopAtOpenAnswer } from './reply-calls.ts'
import type { RunEnd, RunLimit } from './run-end.ts'
import { askModel } from './system-prompt.ts'

/**
 * Yields the events of the run and returns its typed end. `messages` is the conversation so far and
 * grows in place.
 */
export async function* agentLoop(agent: Agent, messages: ModelMessage[]): AsyncGenerator<EventDraft, RunEnd> {
  const { signal } = agent.ctx
  const repeated = countRepetitions()
  let empty = 0
  const open = yield* stopAtOpenAnswer(agent, messages)
  if (open) return open
  for (let number = 1; ; number++) {
    // add the messages of the user and of other agents that have arrived since the last turn
    for (const message of await agent.inbox(false)) yield* appendUserMessage(messages, message)
    if (signal.aborted) return abortedEnd(messages, signal)
    // end the run at a limit that is reached, and announce a limit that is near
    const limit = number > agent.maxTurns ? 'turns' : agent.budget.reached()
    if (limit !== undefined) return yield* concludeAtLimit(agent, messages, limit)
    yield* noteNearLimits(agent, messages, { taken: number - 1, max: agent.maxTurns })

    // send one request to the model
    const reply = yield* askModel(agent, messages, agent.meta)
    if (reply.failure) {
      const end = failedEnd(reply, messages, signal)
      if (end.end === 'cancelled' && reply.text !== '') yield* appendInterruptedReply(messages, reply.text)
      return end
    }
    // an empty response is requested once more
    const isEmpty = reply.text.trim() === '' && reply.calls.length === 0
    if (isEmpty && reply.end === 'filter') return withheldReplyEnd
    if (isEmpty) {
      if (++empty === 2) return emptyReplyEnd
      yield* appendUserMessage(messages, modelNotes.empty)
      continue
    }
    empty = 0
    // a response without calls ends the run, unless the gate or a new message continues it
    yield* appendReply(messages, reply)
    if (reply.calls.length === 0) {
      if (reply.end === 'length' || reply.end === 'filter')
        return { end: 'partial', reason: reply.end, text: reply.text }
      const next = yield* stopAt(agent, messages, reply.text)
      if (next.end) return next.end
      if (next.isNewTask) number = 0
      continue
    }
    // run the calls of the response
    const settle = await runReplyCalls(agent, messages, reply)
    // If other agents wait for a result of these calls, its record must be on disk first. Otherwise the next
    // request does not wait for the disk.
    if (settle.length > 0) agent.commit()
    for (const done of settle) await done()
    // the third equal set of calls in a row adds a warning for the model, and the fifth ends the run
    const times = repeated(reply.calls)
    if (times >= 5) return { end: 'partial', reason: 'loop', text: findLastText(messages) }
    if (times === 3) yield* appendUserMessage(messages, modelNotes.loop)
  }
}

/** Warns the user and the model of a near limit, while there is still time to save results. */
function* noteNearLimits(
  { budget }: Agent,
  messages: ModelMessage[],
  turns: { taken: number; max: number },
): Generator<EventDraft, void> {
  const next = () => budget.nearing(Date.now(), turns)
  for (let near = next(); near; near = next()) {
    const message = `80 % of a limit is spent: ${near.spent}`
    yield { type: 'limit', status: 'near', payload: { limit: near.limit, message } }
    yield* appendUserMessage(messages, modelNotes.near(near.spent))
  }
}

/**
 * Returns the end of a run at a limit. At a limit of turns or calls, first requests one last response in
 * which the model may make no calls, so that it reports its findings.
 */
async function* concludeAtLimit(
  agent: Agent,
  messages: ModelMessage[],
  limit: RunLimit,
): AsyncGenerator<EventDraft, RunEnd> {
  yield { type: 'limit', payload: { limit, message: modelNotes.limits[limit] } }
  if (limit !== 'turns' && limit !== 'calls')
    return { end: 'limit', reason: limit, text: findLastText(messages) }
  yield* appendUserMessage(messages, modelNotes.conclude(limit))
  const reply = yield* askModel(agent, messages, { ...agent.meta, purpose: 'conclude' }, 'none')
  if (reply.failure || reply.text === '')
    return { end: 'partial', reason: limit, text: findLastText(messages) }
  yield* appendReply(messages, { ...reply, calls: [] })
  return { end: 'partial', reason: limit, text: reply.text }
}

/** Returns a counter: how many turns in a row, this one included, made exactly these calls. */
function countRepetitions(): (calls: readonly ModelToolCall[]) => number {
  let last = ''
  let count = 0
  return (calls) => {
    const now = JSON.stringify(calls.map(({ name, args, malformed }) => [name, args ?? malformed?.raw]))
    count = now === last ? count + 1 : 1
    last = now
    return count
  }
}
