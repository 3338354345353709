// What a child takes from the one that starts it.
import type { Budget } from '../../agent/budget.ts'
import type { CompactionPermit } from '../../agent/compaction.ts'
import type { EventDraft } from '../../event/event.ts'
import type { Model } from '../../model/model.ts'
import type { Ctx } from '../../tool/ctx.ts'

export interface ParentAgent {
  ctx: Ctx
  budget?: Budget
  /** Absent: the model that the configuration names. */
  model?: Model
  /** Names and globs a person narrowed the run to; they bind what it starts as well. */
  only?: readonly string[] | undefined
  /** May refuse that a conversation is shortened. */
  permit?: CompactionPermit
  report(draft: EventDraft): Promise<void>
}
