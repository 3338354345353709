// Checks of a session: the command that tests whether a candidate still works correctly.

import type { ChecksOutcome } from '../judge/evidence.ts'
import {
  type ExecutionStage,
  runBenchmark,
  runCommandOnce,
  tailText,
} from '../measure/benchmark-execution.ts'
import { findGrownFile } from '../measure/file-size.ts'
import { MeasurementStopped } from '../measure/measurement-stopped.ts'
import type { SamplingMethod } from '../measure/sampling.ts'
import type { RunContext } from './run-context.ts'

export interface ChecksResult {
  result: ChecksOutcome
  output: string
}

/**
 * Runs the checks and returns the result with the last lines of their output, for the agent or user who fixes
 * the errors. `sizes` are the sizes of the measured files before the checks, by metric. The checks fail if
 * such a file is larger, missing or not a regular file afterwards.
 */
export async function runChecks(
  context: RunContext,
  stage: ExecutionStage,
  command: string,
  sizes?: Readonly<Record<string, number>>,
): Promise<ChecksResult> {
  const { experiment } = context.session
  experiment.tell({ kind: 'phase', phase: 'checks', run: context.pending.run })
  const timeoutMs = context.order.checksTimeoutMs ?? context.segment.config.checksTimeoutMs
  const { reason, outcome } = await runCommandOnce(stage, { command, timeoutMs })
  const grown = sizes && findGrownFile(stage.cwd, context.segment.config.files ?? [], sizes)
  const ok = grown === undefined ? 'ok' : 'failed'
  const result = reason === undefined ? ok : reason === 'timeout' ? 'timeout' : 'failed'
  experiment.tell({ kind: 'checks', result })
  const output = tailText(outcome.combined.text, 80, 32_768)
  return { result, output: grown === undefined ? output : `${output}\n${grown}`.trimStart() }
}

/**
 * Runs the benchmark again before the checks, so that they test the measured files as the benchmark writes
 * them. Returns the metrics of that execution, which include the sizes of these files; undefined without
 * measured files. Throws MeasurementStopped if the benchmark fails.
 */
export async function makeMeasuredFiles(
  stage: ExecutionStage,
  method: SamplingMethod,
): Promise<Record<string, number> | undefined> {
  if (!method.files) return undefined
  const executed = await runBenchmark(stage, method)
  const { sample, reason = 'no_metric', detail } = executed
  if (!sample) throw new MeasurementStopped({ arm: 'cand', reason, detail, executed })
  return { ...sample.metrics, [method.primary]: sample.value }
}
