// What a coordinator stands on.
import type { Effort, Model, ToolSpec } from '../../model/model.ts'
import type { Journal, JournalLine, NewJournalLine } from '../../store/journal/journal.ts'
import type { ListedTool } from '../../tool/catalog.ts'
import type { Ctx } from '../../tool/ctx.ts'
import type { StudyEngine } from '../engine/study-engine.ts'
import type { SourceFacts } from '../log/entries.ts'
import type { StudyState } from '../log/state.ts'
import type { PlanResult } from '../plan/plan.ts'
import type { EvidenceReader } from '../verify/source-snapshot.ts'

export type CoordinatorRole = 'plan' | 'report'

/** Prompt and tools of one of the coordinator's own conversations. */
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
  /** Holds the coordinator's lease. */
  owner: string
  pid: number
  host: string
  leaseMs: number
  heartbeatMs: number
  model: Model
  setUpRole(role: CoordinatorRole, signal: AbortSignal): Promise<RoleSetup>
  /** In how many files each term of the question occurs. */
  frequency: Readonly<Record<string, number>>
  /** A plan that needs no asking. */
  plan?: PlanResult
  /**
   * Lines that open a further question; made and written under the coordinator's lease, so that two
   * who ask at
   * once cannot both do it. May throw UserError.
   */
  begin?(state: StudyState): Promise<readonly NewJournalLine[]>
  read: EvidenceReader
  /** Kind, date, size and address of sources; without it reports leave them out. */
  describe?(canonicals: readonly string[]): Promise<SourceFacts[]>
  /** Each line of the log once, in order. */
  show(line: JournalLine): void
  /** Called often: sees to it that there are workers for what is to be done. */
  tend(state: StudyState): Promise<void>
}
