// The stop reason of a prompt, from the end of its run.
import { RequestError, type StopReason } from '@agentclientprotocol/sdk/unstable'
import { describeRunReason } from '../base/text/reason-words.ts'
import type { EventPayload } from '../event/event.ts'

/**
 * Stop reasons of runs that ended early. The protocol has none for money, time and unproven work, so these
 * count as a limit of turns: the work may be unfinished. A run counts as ended normally if the model gave its
 * answer and only a hook, a call without approval, or a check that the user withdrew is the reason.
 */
const partialReasons: Readonly<Record<string, StopReason>> = {
  turns: 'max_turn_requests',
  calls: 'max_turn_requests',
  usd: 'max_turn_requests',
  time: 'max_turn_requests',
  loop: 'max_turn_requests',
  unproven: 'max_turn_requests',
  no_change: 'max_turn_requests',
  check_changed: 'max_turn_requests',
  tokens: 'max_tokens',
  length: 'max_tokens',
  filter: 'refusal',
  denied: 'end_turn',
  hook: 'end_turn',
  stood_down: 'end_turn',
}

/** Stop reasons of failed runs. A run that failed for another reason is an error of the request. */
const failedReasons: Readonly<Record<string, StopReason>> = {
  cancelled: 'cancelled',
  denied: 'refusal',
  filter: 'refusal',
}

/** Returns the stop reason of a run. Throws RequestError for a run that failed for most reasons. */
export function stopReasonOf({ end, reason = '', message }: EventPayload<'run.ended'>): StopReason {
  const read = (table: Readonly<Record<string, StopReason>>) =>
    Object.hasOwn(table, reason) ? table[reason] : undefined
  if (end === 'done') return 'end_turn'
  if (end === 'cancelled') return 'cancelled'
  if (end === 'partial' || end === 'limit') return read(partialReasons) ?? 'max_turn_requests'
  const stop = read(failedReasons)
  if (stop !== undefined) return stop
  throw new RequestError(-32_603, message ?? `the run ended with ${describeRunReason(reason) || end}`)
}
