// The parts of an agent that the loop runs: a model, its tools, its limits, and what is recorded.
import type { Effort, Model, ModelMessage, ModelRequest, RequestMeta, ToolSpec } from '../model/model.ts'
import type { Catalog } from '../tool/catalog.ts'
import type { Ctx } from '../tool/ctx.ts'
import type { Budget } from './budget.ts'
import type { ConversationCompactor } from './compaction.ts'

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
   * Messages since the last request: mail, and what the user said to steer the run. `isIdle`: without one the
   * run ends.
   */
  inbox(isIdle: boolean): Promise<ModelMessage[]>
  readonly compact: ConversationCompactor
  /** Called for each request, with the tokens that the provider counted. */
  measured?(request: ModelRequest, counted: number): void
  /** Makes everything recorded so far durable. */
  commit(): void
  /** Called before each request: throws where the record could not be kept in the meantime. */
  commitOverdue(): void
}
