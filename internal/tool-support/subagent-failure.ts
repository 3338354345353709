// The failure of a tool whose subagent failed.
import type { FailureCode } from '../base/errors.ts'
import type { SpawnResult } from '../tool/ctx.ts'

/** Returns undefined for a subagent that did its work, or part of it. One that left no text is a failure. */
export function subagentFailure({
  end,
  text,
  reason,
}: Pick<SpawnResult, 'end' | 'text' | 'reason'>): FailureCode | undefined {
  if (end === 'cancelled') return 'cancelled'
  if (end === 'failed') return 'run_failed'
  if (text.trim() !== '') return undefined
  if (end !== 'limit' && end !== 'partial') return 'run_failed'
  return reason === 'denied' ? 'denied' : 'limit_reached'
}
