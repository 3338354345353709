// An agent session: one conversation, the record of what happens in it, and the loop that runs it to
// a typed end.
import type { ModelMessage, ToolSpec } from '../model/model.ts'
import { createTokenScale, estimateTokens } from '../model/tokens.ts'
import { resultRoomOf } from '../tool/clip/result-fit.ts'
import type { CallLog } from '../tool/ctx.ts'
import type { Agent } from './agent.ts'
import { type CompactionPermit, createCompactor } from './compaction.ts'
import { agentLoop } from './loop.ts'
import { appendUserMessage } from './messages.ts'
import { runReplyCalls } from './reply-calls.ts'
import type { RunEnd } from './run-end.ts'
import type { TurnReply } from './turn.ts'

/** The record of a session: the events of a thread, or the journal of a study. */
export interface SessionRecord extends CallLog {
  /** Writes all events recorded so far to the disk, and shows them. */
  flush(): void
  /**
   * Stores events that an earlier, automatic attempt failed to store, so that an error occurs in
   * the run itself.
   */
  flushOverdue(): void
}

export interface AgentSessionOptions
  extends Omit<Agent, 'tools' | 'catalog' | 'compact' | 'commit' | 'commitOverdue'> {
  readonly record: SessionRecord
  /**
   * Returns the offered tools. The tools and the catalog may change between two requests, because a server
   * can add tools.
   */
  tools(): readonly ToolSpec[]
  catalog(): Agent['catalog']
  /** The conversation so far, which grows in place. */
  readonly messages: ModelMessage[]
  /** A response whose calls were open when its process died. They run again before the next request. */
  readonly openReply?: TurnReply | undefined
  /** The thread in which the model can read the messages that a summary replaced. */
  readonly thread: string
  /** May refuse a compaction of the conversation. */
  readonly permit?: CompactionPermit | undefined
  /** Returns the data that Anode itself adds to a summary: todo list, changed files, the last failure. */
  readonly facts?: (() => Promise<string>) | undefined
  /**
   * Shortens or drops old messages in place until the conversation takes at most `room` tokens, as far as
   * possible. Returns true if it changed any. Default: a summary replaces old messages.
   */
  readonly dropOld?: (messages: ModelMessage[], room: number) => boolean
}

interface RunLimits {
  maxTurns?: number
  /** `none`: the model keeps the tools, so that a cached prefix still matches, but may call none. */
  toolChoice?: 'none'
}

export interface AgentSession {
  readonly agent: Agent
  readonly messages: readonly ModelMessage[]
  /** Adds a message from outside and records it. A text alone is a note of Anode. */
  addMessage(message: ModelMessage | string): Promise<void>
  /**
   * Runs until the loop ends. `limits` apply only to this run. Rejects with errors that the loop
   * does not expect.
   */
  run(limits?: RunLimits): Promise<RunEnd>
}

export function openAgentSession(options: AgentSessionOptions): AgentSession {
  const { record, messages, system, model } = options
  const ctx = withResultRoom(options.ctx, model)
  const overhead = estimateTokens([{ role: 'system', content: system + JSON.stringify(options.tools()) }])
  const scale = createTokenScale()
  const frame = () => ({
    system,
    tools: options.tools(),
    effort: options.effort,
    cacheKey: options.cacheKey ?? ctx.thread,
  })
  const compact = createCompactor({ ...options, frame, signal: ctx.signal, overhead, scale: scale.value })
  const agentWithin = (limits: RunLimits): Agent => ({
    ...options,
    ctx,
    get catalog() {
      return options.catalog()
    },
    get tools() {
      return options.tools()
    },
    maxTurns: limits.maxTurns ?? options.maxTurns,
    toolChoice: limits.toolChoice,
    compact,
    measured: scale.measured,
    commit: () => record.flush(),
    commitOverdue: () => record.flushOverdue(),
  })
  let { openReply } = options
  return {
    agent: agentWithin({}),
    messages,
    async addMessage(message) {
      for (const draft of appendUserMessage(messages, message)) await record.append(draft)
    },
    async run(limits = {}) {
      const agent = agentWithin(limits)
      if (openReply) await runReplyCalls(agent, messages, openReply)
      openReply = undefined
      const steps = agentLoop(agent, messages)
      for (;;) {
        const step = await steps.next()
        if (step.done) return step.value
        await record.append(step.value)
      }
    },
  }
}

/**
 * Limits each result to a part of the model's window unless another limit is set. Scripts and rules that act
 * as a model get this limit too, because they replay runs of language models, in which it applied.
 */
function withResultRoom(ctx: Agent['ctx'], { window }: Agent['model']): Agent['ctx'] {
  if (ctx.agent?.resultRoom !== undefined) return ctx
  return { ...ctx, agent: { ...ctx.agent, resultRoom: resultRoomOf(window) } }
}
