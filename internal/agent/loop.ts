// The agent loop: take what came in, check the limits, ask the model, run its calls, repeat. It knows no tool
// by name, no provider, no screen and no file.
import { defined } from '../base/defined.ts'
import type { EventDraft } from '../event/event.ts'
import type { Effort, Model, ModelMessage, ModelRequest, RequestMeta, ToolSpec } from '../model/model.ts'
import type { Catalog } from '../tool/catalog.ts'
import type { Ctx } from '../tool/ctx.ts'
import { abortedEnd, failedEnd } from './abnormal-end.ts'
import type { Budget } from './budget.ts'
import type { ConversationCompactor } from './compaction.ts'
import { appendInterruptedReply, appendReply, appendUserMessage, findLastText } from './messages.ts'
import { modelNotes } from './model-notes.ts'
import { countRepetitions } from './repetition.ts'
import { runReplyCalls } from './reply-calls.ts'
import type { RunEnd, RunLimit } from './run-end.ts'
import { streamTurn, type TurnReply } from './turn.ts'

export interface Agent {
  readonly model: Model
  readonly catalog: Catalog
  /** `ctx.log` writes the thread; the drafts that the loop yields belong in the same log. */
  readonly ctx: Ctx
  readonly system: string
  /** Estimated tokens of the part of it that comes from files of the repository. */
  readonly instructionTokens?: number
  readonly tools: readonly ToolSpec[]
  /** `none`: the model is told its tools and may call none of them. */
  readonly toolChoice?: 'none'
  readonly maxTurns: number
  readonly effort: Effort
  readonly budget: Budget
  readonly meta?: RequestMeta
  /** What the endpoint keeps its prompts under; absent: the thread. */
  readonly cacheKey?: string | undefined
  /**
   * Messages that came in since it was last asked: steering by a person, mail. `isIdle`: the run ends without
   * any.
   */
  inbox(isIdle: boolean): Promise<ModelMessage[]>
  readonly compact: ConversationCompactor
  /** Told of each request that the provider has counted. */
  measured?(request: ModelRequest, counted: number): void
  /** Makes everything recorded so far durable. */
  commit(): void
  /** Called before each request: throws where the record could not be kept in the meantime. */
  commitOverdue(): void
}

/** Runs until a typed end. `messages` is the conversation so far and grows in place. */
export async function* agentLoop(agent: Agent, messages: ModelMessage[]): AsyncGenerator<EventDraft, RunEnd> {
  const { signal } = agent.ctx
  const repeated = countRepetitions()
  let empty = 0
  for (let number = 1; ; number++) {
    for (const message of await agent.inbox(false)) yield* appendUserMessage(messages, message)
    if (signal.aborted) return abortedEnd(messages, signal)
    const limit = number > agent.maxTurns ? 'turns' : agent.budget.reached()
    if (limit !== undefined) return yield* conclude(agent, messages, limit)
    yield* noteNearLimits(agent, messages, { taken: number - 1, max: agent.maxTurns })

    const reply = yield* ask(agent, messages, agent.meta)
    if (reply.failure) {
      const end = failedEnd(reply, messages, signal)
      if (end.end === 'cancelled' && reply.text !== '') yield* appendInterruptedReply(messages, reply.text)
      return end
    }
    const isEmpty = reply.text.trim() === '' && reply.calls.length === 0
    if (isEmpty && reply.end === 'filter') return withheldReplyEnd
    if (isEmpty) {
      if (++empty === 2)
        return {
          end: 'failed',
          reason: 'empty_reply',
          message: 'the model answered nothing, twice',
          text: '',
        }
      yield* appendUserMessage(messages, modelNotes.empty)
      continue
    }
    empty = 0
    yield* appendReply(messages, reply)
    if (reply.calls.length === 0) {
      if (reply.end === 'length' || reply.end === 'filter')
        return { end: 'partial', reason: reply.end, text: reply.text }
      const more = await agent.inbox(true)
      if (more.length === 0) return { end: 'done', text: reply.text }
      for (const message of more) yield* appendUserMessage(messages, message)
      // what a person asks next is a task of its own
      if (more.some((message) => message.role === 'user' && message.origin === undefined)) number = 0
      continue
    }
    const settle = await runReplyCalls(agent, messages, reply)
    // what others learn of must be on disk; else the next request does not wait for the disk
    if (settle.length > 0) agent.commit()
    for (const done of settle) await done()
    const times = repeated(reply.calls)
    if (times >= 5) return { end: 'partial', reason: 'loop', text: findLastText(messages) }
    if (times === 3) yield* appendUserMessage(messages, modelNotes.loop)
  }
}

const withheldReplyEnd: RunEnd = {
  end: 'failed',
  reason: 'filter',
  message: 'the provider withheld the reply (content filter)',
  text: '',
}

/** One request and its reply; a conversation that is too long is shortened and sent once more. */
async function* ask(
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
      ...defined({ deadline, meta, toolChoice, cacheKey: agent.cacheKey ?? agent.ctx.thread }),
    }
    agent.commitOverdue()
    const reply = yield* streamTurn(agent.model, request, agent.ctx.signal)
    agent.budget.use(reply.usage)
    if (reply.usage && reply.usage.input > 0) {
      if (!reply.usage.estimated) agent.measured?.(request, reply.usage.input)
      yield { type: 'usage', payload: { ...reply.usage } }
    }
    // some endpoints do not know the field, and some models do not care
    if (toolChoice === 'none') reply.calls = []
    if (reply.failure?.kind !== 'context_too_long' || attempt === 2) return reply
    if (!(yield* agent.compact(messages, reply.failure))) return reply
    // what came before the refusal may be on a screen already
    const payload = {
      retry: attempt + 1,
      wait_ms: 0,
      why: `${reply.failure.message}; the conversation was shortened`,
    }
    yield { type: 'message.delta', status: 'discarded', payload }
  }
}

const systemMessages = new WeakMap<Agent, ModelMessage>()

/** The same object in each request: a wire writes no message twice. */
function systemMessage(agent: Agent): ModelMessage {
  const message = systemMessages.get(agent) ?? { role: 'system', content: agent.system }
  systemMessages.set(agent, message)
  return message
}

/** Warns the user and the model of a limit that is near, while there is still something to save. */
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

/** At a limit of turns or calls one last reply that may call no tool, so that what was found is said. */
async function* conclude(
  agent: Agent,
  messages: ModelMessage[],
  limit: RunLimit,
): AsyncGenerator<EventDraft, RunEnd> {
  yield { type: 'limit', payload: { limit, message: modelNotes.limits[limit] } }
  if (limit !== 'turns' && limit !== 'calls')
    return { end: 'limit', reason: limit, text: findLastText(messages) }
  yield* appendUserMessage(messages, modelNotes.conclude(limit))
  const reply = yield* ask(agent, messages, { ...agent.meta, purpose: 'conclude' }, 'none')
  if (reply.failure || reply.text === '')
    return { end: 'partial', reason: limit, text: findLastText(messages) }
  yield* appendReply(messages, { ...reply, calls: [] })
  return { end: 'partial', reason: limit, text: reply.text }
}
