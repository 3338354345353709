// Types of the progress events of a session, for a dashboard and for `--json`.
import type { ChecksOutcome } from './judge/evidence.ts'
import type { ExperimentRunStatus, RunReason } from './ledger/experiment-run.ts'

/**
 * The two sides of a measurement: `base` is the tree to compare with, such as best, and `cand` the tree
 * that is judged.
 */
export type MeasurementArm = 'base' | 'cand'

export type ResearchProgress =
  | { kind: 'phase'; phase: MeasurementPhase; run?: number }
  /** One execution has ended; without `value` it failed. */
  | { kind: 'sample'; phase: MeasurementPhase; arm: MeasurementArm; value?: number; ms: number }
  /** Pair `n` is complete; `of` pairs are planned so far. */
  | { kind: 'pair'; phase: MeasurementPhase; n: number; of: number; base: number; cand: number }
  /**
   * The pairs for a look (a test after a fixed number of pairs) are complete. `next` is the number of pairs
   * at the look after it; 0 if the judge needs no more pairs.
   */
  | { kind: 'look'; pairs: number; median_pct: number; p: number; next: number }
  | { kind: 'floor'; metric: number; floor_pct: number; samples: number }
  | { kind: 'checks'; result: ChecksOutcome }
  | { kind: 'verdict'; run: number; status: ExperimentRunStatus; reason: RunReason }
  /** Another process with the same data directory is measuring, and this process waits for it. */
  | { kind: 'waiting'; pid: number }
  | { kind: 'warning'; code: WarningCode; text: string }

export type MeasurementPhase =
  | 'snapshot'
  | 'build'
  | 'warm-up'
  | 'trial candidate'
  | 'null test'
  | 'baseline'
  | 'pairs'
  | 'confirmation'
  | 'checks'
  | 'holdout'
  | 'voice'
  | 'drift'
  | 'final'
  | 'run'

type WarningCode = 'very_noisy' | 'host_changed' | 'drift' | 'recovered' | 'closed'

export type ProgressListener = (event: ResearchProgress) => void
