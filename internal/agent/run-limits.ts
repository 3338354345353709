// The limits of a run: a warning when one is near, and the last reply when one is reached.
import type { EventDraft } from '../event/event.ts'
import type { ModelMessage } from '../model/model.ts'
import type { Agent } from './agent.ts'
import { appendReply, appendUserMessage, findLastText } from './messages.ts'
import { modelNotes } from './model-notes.ts'
import { askModel } from './model-turn.ts'
import type { RunEnd, RunLimit } from './run-end.ts'

/** Warns the user and the model of a limit that is near, while there is still something to save. */
export function* noteNearLimits(
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

/** At a limit of turns or calls one last reply that may call no tool, so that what was found is said. */
export async function* concludeAtLimit(
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
