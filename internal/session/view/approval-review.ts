// Description of the verdicts of the automatic reviewer of approvals in words.
import type { EventPayload } from '../../event/event.ts'

/**
 * Returns one line about a verdict, such as `the reviewer allowed bash: only commits`. Undefined if the user
 * is asked next, because that question shows the reason.
 */
export function describeReview({
  verdict,
  tool,
  reason,
}: EventPayload<'approval.reviewed'>): string | undefined {
  if (verdict === 'pass') return undefined
  if (verdict === 'allow') return `the reviewer allowed ${tool}: ${reason}`
  return `the reviewer did not decide on ${tool}: ${reason}`
}
