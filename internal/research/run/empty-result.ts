// The fields of a run's result that do not depend on how the run was measured.
import type { RunResult } from '../ledger/experiment-run.ts'
import type { CandidateSnapshot } from '../workspace/candidate-snapshot.ts'
import type { RunContext } from './run-context.ts'

/**
 * Returns the fields of a result that are known before the measurement, with empty values for what
 * a measurement finds.
 */
export function emptyResult(
  context: RunContext,
  snapshot: CandidateSnapshot | undefined,
): Omit<RunResult, 'status' | 'reason'> {
  const { segment, pending, command, override } = context
  const { config } = segment
  return {
    run: pending.run,
    segment: config.segment,
    gate: config.gate.kind,
    metricName: config.metricName,
    unit: config.metricUnit,
    direction: config.bestDirection,
    metrics: {},
    guards: [],
    lock: 'ok',
    candidate: pending.candidate,
    changed: snapshot?.changes.map(({ path }) => path) ?? [],
    produced: [],
    outside: [],
    leaked: 0,
    output: '',
    command,
    override,
    ...(snapshot && { tree: snapshot.tree }),
    ms: 0,
    notes: [],
  }
}
