// The report of a tool about its subagent: why it failed, and its recorded actions.
import type { FailureCode } from '../base/errors.ts'
import type { ActivityReceipts } from '../tool/activity-receipts.ts'
import type { SpawnResult } from '../tool/agents.ts'
import { describePipes } from './pipe-status.ts'

/**
 * Returns the failure code of a subagent; undefined if it did its work or a part of its work. A subagent that
 * returned no text has failed.
 */
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

/** Largest number of paths in one line about a subagent's actions. Further paths are only counted. */
const maxPaths = 40

/**
 * Returns lines about a subagent's actions such as `read: a.ts, b.ts` and `ran: make -> 0`; an empty list
 * without any action.
 */
export function formatReceipts({ read, searched = [], changed, commands }: ActivityReceipts): string[] {
  return [
    ...formatPaths('changed', changed),
    ...formatPaths('read', read),
    ...formatPaths('searched', searched),
    ...commands.map(
      ({ command, exit, pipe, pipes }) =>
        `ran: ${command} -> ${exit ?? 'no exit code'}${describePipes(pipes ?? (pipe ? [pipe] : []))}`,
    ),
  ]
}

function formatPaths(what: string, paths: readonly string[]): string[] {
  if (paths.length === 0) return []
  const rest = paths.length > maxPaths ? ` and ${paths.length - maxPaths} more` : ''
  return [`${what}: ${paths.slice(0, maxPaths).join(', ')}${rest}`]
}
