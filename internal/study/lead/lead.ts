// What a coordinator stands on.
import type { Effort, Model, ToolSpec } from '../../model/model.ts'
import type { Journal, Line } from '../../store/journal/journal.ts'
import type { Listed } from '../../tool/catalog.ts'
import type { Ctx } from '../../tool/ctx.ts'
import type { ReadSource } from '../check/verify.ts'
import type { StudyEngine } from '../engine.ts'
import type { Made } from '../plan/plan.ts'
import type { StudyState } from '../state.ts'

export type Role = 'plan' | 'report'

/** Prompt and tools of one of the coordinator's own conversations. */
export interface Desk {
  system: string
  tools: readonly Listed[]
  specs: readonly ToolSpec[]
  ctx: Ctx
  maxSteps: number
  effort?: Effort
}

export interface Lead {
  journal: Journal
  engine: StudyEngine
  study: string
  /** Holds the coordinator's lease. */
  owner: string
  pid: number
  host: string
  leaseMs: number
  beatMs: number
  model: Model
  desk(role: Role, signal: AbortSignal): Promise<Desk>
  /** In how many files each term of the question occurs. */
  frequency: Readonly<Record<string, number>>
  /** A plan that needs no asking. */
  plan?: Made
  read: ReadSource
  /** Each line of the log once, in order. */
  show(line: Line): void
  /** Called often: sees to it that there are workers for what is to be done. */
  tend(state: StudyState): Promise<void>
}

/** The mailbox of the one who writes the report. */
export const aggregator = 'aggman'
