// An experiment session as the page has it: how it stands, its loop, drift, and what was noted down.
import type { BoardRun, ResearchBoard } from '../session/board/research-board.ts'

/** The keys stay. */
export interface ResearchDetail extends Omit<ResearchBoard, 'runs'> {
  runs: ExperimentDetail[]
  /** Later looks at the baseline, oldest first. */
  drifts: { pct: number; drifted: boolean; timestamp: string }[]
  /** What somebody noted for later, as Markdown; null where there is nothing, or no loop says where. */
  ideas: string | null
  /** null: none runs. */
  loop: LoopDetail | null
}

export interface ExperimentDetail extends BoardRun {
  /** What whoever proposed it noted down: its hypothesis, what was learned, what to try next. */
  notes: { name: string; text: string }[]
}

/** A loop that proposes and measures by itself. */
interface LoopDetail {
  policy: string
  isPaused: boolean
  /** Milliseconds since 1970. */
  started: number
}
