// Data that a subagent takes from its parent agent.
import type { Budget } from '../../agent/budget.ts'
import type { CompactionPermit } from '../../agent/compaction.ts'
import type { EventDraft } from '../../event/event.ts'
import type { Model } from '../../model/model.ts'
import type { Ctx } from '../../tool/ctx.ts'

export interface ParentAgent {
  ctx: Ctx
  budget?: Budget
  /** Model that subagents get if their request names no model. Default: the model of their profile. */
  model?: Model
  /** Names and globs of the tools that the user limited the run to. They apply to subagents too. */
  only?: readonly string[] | undefined
  /**
   * Function through which hooks can refuse the compaction of a conversation, which replaces old messages
   * by a summary.
   */
  permit?: CompactionPermit
  report(draft: EventDraft): Promise<void>
}
