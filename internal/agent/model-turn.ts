// One turn of the model: the request for the conversation so far, its response, and a retry after compaction.
import type { EventDraft } from '../event/event.ts'
import type { ModelMessage, ModelRequest, RequestMeta } from '../model/model.ts'
import type { Agent } from './agent.ts'
import { streamTurn, type TurnReply } from './turn.ts'

/**
 * Compacts a conversation that nearly fills the window, sends one request, yields its events and returns the
 * response. A conversation that the model refuses as too long is compacted and sent once more.
 */
export async function* askModel(
  agent: Agent,
  messages: ModelMessage[],
  meta: RequestMeta | undefined,
  toolChoice = agent.toolChoice,
): AsyncGenerator<EventDraft, TurnReply> {
  yield* agent.compact(messages, undefined)
  for (let attempt = 1; ; attempt++) {
    const { deadline } = agent.budget.caps
    const request: ModelRequest = {
      messages: [systemMessage(agent), ...messages],
      tools: agent.tools,
      effort: agent.effort,
      deadline,
      meta,
      toolChoice,
      cacheKey: agent.cacheKey ?? agent.ctx.thread,
    }
    agent.commitOverdue()
    const reply = yield* streamTurn(agent.model, request, agent.ctx.signal)
    agent.budget.use(reply.usage)
    if (reply.usage && reply.usage.input > 0) {
      if (!reply.usage.estimated) agent.measured?.(request, reply.usage.input)
      yield { type: 'usage', payload: { ...reply.usage } }
    }
    // some endpoints do not support `toolChoice`, and some models ignore it, so calls are dropped here
    if (toolChoice === 'none') reply.calls = []
    if (reply.failure?.kind !== 'context_too_long' || attempt === 2) return reply
    if (!(yield* agent.compact(messages, reply.failure))) return reply
    // a screen may already show text from before the refusal, so this event discards it
    const payload = {
      retry: attempt + 1,
      wait_ms: 0,
      why: `${reply.failure.message}; the conversation was shortened`,
    }
    yield { type: 'message.delta', status: 'discarded', payload }
  }
}

const systemMessages = new WeakMap<Agent, ModelMessage>()

/**
 * Returns the system message of an agent. It is the same object for each request, so that the code for a
 * provider's format converts it only once.
 */
function systemMessage(agent: Agent): ModelMessage {
  const message = systemMessages.get(agent) ?? { role: 'system', content: agent.system }
  systemMessages.set(agent, message)
  return message
}
