// The agent loop: take what came in, check the limits, ask the model, run its calls, repeat. It knows no tool by
// name, no provider, no screen and no file.
import type { Draft } from '../event/event.ts'
import type { Effort, Model, ModelMessage, ModelRequest, RequestMeta, ToolSpec } from '../model/model.ts'
import type { Catalog } from '../tool/catalog.ts'
import type { Ctx } from '../tool/ctx.ts'
import type { Budget } from './budget.ts'
import { runCalls } from './calls.ts'
import type { End, Limit } from './end.ts'
import { notes } from './notes.ts'
import { repetition } from './repetition.ts'
import { keep, lastText, say } from './speak.ts'
import { broken, stopped } from './stop.ts'
import { type Reply, turn } from './turn.ts'

export interface Agent {
  readonly model: Model
  readonly catalog: Catalog
  /** `ctx.log` writes the thread; the drafts that the loop yields belong in the same log. */
  readonly ctx: Ctx
  readonly system: string
  readonly tools: readonly ToolSpec[]
  readonly maxTurns: number
  readonly effort: Effort
  readonly budget: Budget
  readonly meta?: RequestMeta
  /** Messages that came in since it was last asked: steering by a person, mail. */
  inbox(): Promise<ModelMessage[]>
  /** Shortens the messages in place when they near the model's window; `now`: the provider refused them as too long. */
  compact(messages: ModelMessage[], now: boolean): AsyncGenerator<Draft, boolean>
  /** Makes everything recorded so far durable; called while a request is on its way, before its reply is used. */
  commit(): void
}

/** Runs until a typed end. `messages` is the conversation so far and grows in place. */
export async function* loop(agent: Agent, messages: ModelMessage[]): AsyncGenerator<Draft, End> {
  const { signal } = agent.ctx
  const repeated = repetition()
  let empty = 0
  for (let number = 1; ; number++) {
    for (const message of await agent.inbox()) yield* say(messages, message)
    if (signal.aborted) return stopped(messages, signal)
    const limit = number > agent.maxTurns ? 'turns' : agent.budget.reached()
    if (limit !== undefined) return yield* conclude(agent, messages, limit)

    const reply = yield* ask(agent, messages, agent.tools, agent.meta)
    if (reply.failure) return broken(reply, messages, signal)
    if (reply.text.trim() === '' && reply.calls.length === 0) {
      if (++empty === 2)
        return {
          end: 'failed',
          reason: 'empty_reply',
          message: 'the model answered nothing, twice',
          text: '',
        }
      yield* say(messages, notes.empty)
      continue
    }
    empty = 0
    yield* keep(messages, reply)
    if (reply.calls.length === 0) {
      if (reply.end === 'length') return { end: 'partial', reason: 'length', text: reply.text }
      const more = await agent.inbox()
      if (more.length === 0) return { end: 'done', text: reply.text }
      for (const message of more) yield* say(messages, message)
      continue
    }
    const settle = await runCalls(agent, messages, reply)
    // what others are told of must be on disk; else the next request does not wait for the disk
    if (settle.length > 0) agent.commit()
    for (const done of settle) await done()
    const times = repeated(reply.calls)
    if (times >= 5) return { end: 'partial', reason: 'loop', text: lastText(messages) }
    if (times === 3) yield* say(messages, notes.loop)
  }
}

/** One request and its reply; a conversation that is too long is shortened and sent once more. */
async function* ask(
  agent: Agent,
  messages: ModelMessage[],
  tools: readonly ToolSpec[],
  meta: RequestMeta | undefined,
): AsyncGenerator<Draft, Reply> {
  yield* agent.compact(messages, false)
  for (let attempt = 1; ; attempt++) {
    const { deadline } = agent.budget.caps
    const request: ModelRequest = {
      messages: [{ role: 'system', content: agent.system }, ...messages],
      tools,
      effort: agent.effort,
      ...(deadline !== undefined && { deadline }),
      ...(meta && { meta }),
    }
    const reply = yield* turn(agent.model, request, agent.ctx.signal, agent.commit)
    agent.budget.use(reply.usage)
    if (reply.usage) yield { type: 'usage', payload: { ...reply.usage } }
    if (reply.failure?.kind !== 'context_too_long' || attempt === 2) return reply
    if (!(yield* agent.compact(messages, true))) return reply
  }
}

/** At a limit of turns or calls one last reply without tools, so that what was found is said. */
async function* conclude(agent: Agent, messages: ModelMessage[], limit: Limit): AsyncGenerator<Draft, End> {
  yield { type: 'limit', payload: { limit, message: notes.limits[limit] } }
  if (limit !== 'turns' && limit !== 'calls') return { end: 'limit', reason: limit, text: lastText(messages) }
  yield* say(messages, notes.conclude(limit))
  const reply = yield* ask(agent, messages, [], { ...agent.meta, purpose: 'conclude' })
  if (reply.failure || reply.text === '') return { end: 'partial', reason: limit, text: lastText(messages) }
  yield* keep(messages, { ...reply, calls: [] })
  return { end: 'partial', reason: limit, text: reply.text }
}
