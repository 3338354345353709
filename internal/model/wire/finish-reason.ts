// Classification of providers' finish reasons, which say why a response ended, and their effect on its calls.
import type { EndReason } from '../model.ts'

/**
 * Expressions for finish reasons, from the mildest to the worst. A reason that matches none of them ranks
 * between `cutReason` and `filtered`.
 */
const normal =
  /^(stop|tool_?calls?|tool_?use|function_?calls?|end_?turn|stop_?sequence|eos|eos_?token|completed?|done)$/i
const cutReason = /^(length|max_?(output_?|new_?)?tokens|model_length|model_context_window_exceeded)$/i
const filtered = /filter|safety|refus|block|prohibit|sensitive|recitation|spii|moderat|guard|violation/i
const broken = /^(error|abort(ed)?|cancell?ed|network_error|insufficient_system_resource)$/i

function rankOf(finish: string): number {
  if (normal.test(finish)) return 1
  if (cutReason.test(finish)) return 2
  if (broken.test(finish)) return 5
  return filtered.test(finish) ? 4 : 3
}

/** Returns the worse of two reasons, because an endpoint may contradict itself. */
export const worseFinish = (finish: string, than: string | undefined): string =>
  than === undefined || rankOf(finish) > rankOf(than) ? finish : than

/**
 * Returns why the response ended; undefined if `finish` is missing or reports an error, so that the response
 * does not count. With calls, an unknown reason counts as `filter`, because the calls may be incomplete. With
 * text alone, it counts as `stop`.
 */
export function endReasonOf(finish: string | undefined, hasCalls: boolean): EndReason | undefined {
  if (finish === undefined || broken.test(finish)) return undefined
  if (filtered.test(finish)) return 'filter'
  if (cutReason.test(finish)) return 'length'
  if (!hasCalls) return 'stop'
  return normal.test(finish) ? 'calls' : 'filter'
}
