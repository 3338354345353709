// Whether measurements of this session were taken on another machine than the present one.
import type { Desk } from './desk.ts'
import type { Segment } from './fold.ts'
import { changes, hostHere } from './host.ts'
import type { ConfigLine } from './line.ts'

/** What differs from the header, told as a warning too. */
export function host(desk: Desk, config: ConfigLine): string[] {
  return told(desk, changes(config.host, hostHere()))
}

/** What differs from where the samples of the baseline were taken. */
export function hostOfBaseline(desk: Desk, { config, drifts }: Segment): string[] {
  const last = drifts.findLast((line) => line.host !== undefined)?.host ?? config.host
  return told(desk, changes(last, hostHere()))
}

function told(desk: Desk, found: string[]): string[] {
  if (found.length > 0) desk.tell({ kind: 'warning', code: 'host_changed', text: found.join(', ') })
  return found
}
