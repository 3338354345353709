// Runs the checks of a session: the command that says whether a candidate still does its work.
import type { ChecksOutcome } from '../judge/evidence.ts'
import { type ExecutionStage, runCommandOnce, tailText } from '../measure/benchmark-execution.ts'
import type { RunContext } from './run-context.ts'

export interface ChecksResult {
  result: ChecksOutcome
  output: string
}

/** Runs the checks; their output is for whoever repairs what they found. */
export async function runChecks(
  context: RunContext,
  stage: ExecutionStage,
  command: string,
): Promise<ChecksResult> {
  const { experiment } = context.session
  experiment.tell({ kind: 'phase', phase: 'checks', run: context.pending.run })
  const timeoutMs = context.order.checksTimeoutMs ?? context.segment.config.checksTimeoutMs
  const { reason, outcome } = await runCommandOnce(stage, { command, timeoutMs })
  const result = reason === undefined ? 'ok' : reason === 'timeout' ? 'timeout' : 'failed'
  experiment.tell({ kind: 'checks', result })
  return { result, output: tailText(outcome.combined.text, 80, 32_768) }
}
