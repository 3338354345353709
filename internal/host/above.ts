// What a child takes from the one that starts it.
import type { Budget } from '../agent/budget.ts'
import type { Permit } from '../agent/compact.ts'
import type { Draft } from '../event/event.ts'
import type { Model } from '../model/model.ts'
import type { Ctx } from '../tool/ctx.ts'

export interface Above {
  ctx: Ctx
  budget?: Budget
  /** Absent: the model that the configuration names. */
  model?: Model
  /** Names and globs a person narrowed the run to; they bind what it starts as well. */
  only?: readonly string[] | undefined
  /** May refuse that a conversation is shortened. */
  permit?: Permit
  report(draft: Draft): Promise<void>
}
