// The stop of a model: an answer without calls, which ends the run unless its gate or a message continues it.
import type { EventDraft } from '../event/event.ts'
import type { ModelMessage } from '../model/model.ts'
import { abortedEnd } from './abnormal-end.ts'
import type { Agent } from './agent.ts'
import { appendUserMessage, findOpenAnswer } from './messages.ts'
import type { RunEnd } from './run-end.ts'

/**
 * Returns the end of the run at an answer. Without an end, the run continues with the messages that were
 * appended; `isNewTask` is true if one of them is from the user.
 */
export async function* stopAt(
  agent: Agent,
  messages: ModelMessage[],
  text: string,
): AsyncGenerator<EventDraft, { end?: RunEnd; isNewTask?: boolean }> {
  // messages that the user has sent meanwhile come before the check
  let more = agent.gate ? await agent.inbox(false) : []
  if (more.length === 0) {
    const verdict = await agent.gate?.atStop(text)
    if (agent.ctx.signal.aborted) return { end: abortedEnd(messages, agent.ctx.signal) }
    if (verdict && 'end' in verdict) return verdict
    if (verdict) {
      yield* appendUserMessage(messages, verdict.message)
      return {}
    }
    more = await agent.inbox(true)
    if (more.length === 0) return { end: { end: 'done', text } }
  }
  for (const message of more) yield* appendUserMessage(messages, message)
  return { isNewTask: more.some((message) => message.role === 'user' && message.origin === undefined) }
}

/**
 * Handles the open answer of a resumed run that was interrupted between its answer and the check. Returns the
 * end of the run; undefined without a gate or such an answer, or if the run continues.
 */
export async function* stopAtOpenAnswer(
  agent: Agent,
  messages: ModelMessage[],
): AsyncGenerator<EventDraft, RunEnd | undefined> {
  const open = agent.gate && findOpenAnswer(messages)
  return open === undefined ? undefined : (yield* stopAt(agent, messages, open)).end
}
