// The parts of an agent that the loop runs: a model, its tools, its limits, and what is recorded.
import type { Effort, Model, ModelMessage, ModelRequest, RequestMeta, ToolSpec } from '../model/model.ts'
import type { Catalog } from '../tool/catalog.ts'
import type { Ctx } from '../tool/ctx.ts'
import type { Budget } from './budget.ts'
import type { ConversationCompactor } from './compaction.ts'
import type { StopGate } from './stop-gate.ts'

export interface Agent {
  readonly model: Model
  readonly catalog: Catalog
  /**
   * The context of calls. `ctx.log` writes the thread; the event drafts (events without an id and number)
   * that the agent loop yields belong in the same log.
   */
  readonly ctx: Ctx
  readonly system: string
  /**
   * Estimated tokens of the part of `system` that comes from instruction files of the user
   * and the repository.
   */
  readonly instructionTokens?: number
  readonly tools: readonly ToolSpec[]
  /** `none`: the model gets its tools but may call none of them. */
  readonly toolChoice?: 'none'
  readonly maxTurns: number
  readonly effort: Effort
  readonly budget: Budget
  readonly meta?: RequestMeta
  /** Key of the endpoint's prompt cache. Default: the thread. */
  readonly cacheKey?: string | undefined
  /**
   * Returns the messages that have arrived since the last call: mail from other agents, and messages of the
   * user during the run. `isIdle`: the model has finished, so the run ends if no message is returned.
   */
  inbox(isIdle: boolean): Promise<ModelMessage[]>
  /**
   * Decides whether an answer without calls ends the run. Default: the answer ends it unless the inbox
   * has a message.
   */
  readonly gate?: StopGate
  readonly compact: ConversationCompactor
  /** Called for each request whose input tokens the provider counted, with their number. */
  measured?(request: ModelRequest, counted: number): void
  /** Writes all events recorded so far to the disk. */
  commit(): void
  /**
   * Called before each request. Stores events that an earlier, automatic attempt failed to store, and throws
   * if that fails again.
   */
  commitOverdue(): void
}
