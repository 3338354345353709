// Warnings that earlier measurements come from another machine than the current one.

import type { ExperimentSegment } from '../ledger/fold.ts'
import type { ConfigLine } from '../ledger/ledger-entry.ts'
import type { ExperimentWorkspace } from '../workspace/experiment-workspace.ts'
import { currentHost, hostChanges } from './host-machine.ts'

/**
 * Returns the differences between the current machine and the one in the segment's header, and sends them as
 * one warning. Without differences, returns an empty list and sends nothing.
 */
export function warnOfHostChanges(experiment: ExperimentWorkspace, config: ConfigLine): string[] {
  return warnOf(experiment, hostChanges(config.host, currentHost()))
}

/**
 * Returns the differences between the current machine and the one that last measured the baseline, and sends
 * them as one warning. Without differences, returns an empty list and sends nothing.
 */
export function baselineHostChanges(
  experiment: ExperimentWorkspace,
  { config, drifts }: ExperimentSegment,
): string[] {
  const last = drifts.findLast((line) => line.host !== undefined)?.host ?? config.host
  return warnOf(experiment, hostChanges(last, currentHost()))
}

function warnOf(experiment: ExperimentWorkspace, changes: string[]): string[] {
  if (changes.length > 0) experiment.tell({ kind: 'warning', code: 'host_changed', text: changes.join(', ') })
  return changes
}
