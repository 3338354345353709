// Options with which a coordinator leads a study.
import type { Effort, Model, ToolSpec } from '../../model/model.ts'
import type { Journal, JournalLine, NewJournalLine } from '../../store/journal/journal.ts'
import type { ListedTool } from '../../tool/catalog.ts'
import type { Ctx } from '../../tool/ctx.ts'
import type { StudyEngine } from '../engine/study-engine.ts'
import type { SourceFacts } from '../log/entries.ts'
import type { StudyState } from '../log/state.ts'
import type { PlanResult } from '../plan/plan.ts'
import type { EvidenceReader } from '../verify/source-reader.ts'

export type CoordinatorRole = 'plan' | 'report'

/** Prompt and tools of a conversation that the coordinator itself has with the model. */
export interface RoleSetup {
  system: string
  tools: readonly ListedTool[]
  specs: readonly ToolSpec[]
  ctx: Ctx
  maxSteps: number
  effort?: Effort
}

export interface CoordinatorOptions {
  journal: Journal
  engine: StudyEngine
  study: string
  /** Name of this process as the owner of the coordinator's lease. */
  owner: string
  pid: number
  host: string
  leaseMs: number
  heartbeatMs: number
  model: Model
  setUpRole(role: CoordinatorRole, signal: AbortSignal): Promise<RoleSetup>
  /** Number of files in which each term of the question occurs. */
  frequency: Readonly<Record<string, number>>
  /** Overview of the source files for the model that makes the plan. Default: none. */
  map?: string
  /** A plan to use instead of asking the planner. */
  plan?: PlanResult
  /**
   * Returns the lines that open a further question. It is called under the coordinator's lease, so that two
   * questions at the same time cannot both open. May throw UserError.
   */
  begin?(state: StudyState): Promise<readonly NewJournalLine[]>
  read: EvidenceReader
  /** Returns kind, date, size and URL of sources. Default: reports do not contain these facts. */
  describe?(canonicals: readonly string[]): Promise<SourceFacts[]>
  /** Called with each line of the log once, in order. */
  show(line: JournalLine): void
  /** Starts workers for the open tasks if some are missing. Called often. */
  tend(state: StudyState): Promise<void>
}
