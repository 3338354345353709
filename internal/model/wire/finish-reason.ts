// The reasons that providers give for the end of a reply, and what each of them means for its calls.
import type { EndReason } from '../model.ts'

/** Reasons to end from the mildest to the worst; one that matches none stands before the last two. */
const normal =
  /^(stop|tool_?calls?|tool_?use|function_?calls?|end_?turn|stop_?sequence|eos|eos_?token|completed?|done)$/i
const cut = /^(length|max_?(output_?|new_?)?tokens|model_length|model_context_window_exceeded)$/i
const filtered = /filter|safety|refus|block|prohibit|sensitive|recitation|spii|moderat|guard|violation/i
const broken = /^(error|abort(ed)?|cancell?ed|network_error|insufficient_system_resource)$/i

function rankOf(finish: string): number {
  if (normal.test(finish)) return 1
  if (cut.test(finish)) return 2
  if (broken.test(finish)) return 5
  return filtered.test(finish) ? 4 : 3
}

/** The worse of two reasons: an endpoint may contradict itself. */
export const worseFinish = (finish: string, than: string | undefined): string =>
  than === undefined || rankOf(finish) > rankOf(than) ? finish : than

/**
 * Why the reply ended, or undefined when it did not: then it is no reply. Calls are let through only for
 * reasons that are known to leave a reply whole; with text alone an unknown reason does no harm.
 */
export function endReasonOf(finish: string | undefined, hasCalls: boolean): EndReason | undefined {
  if (finish === undefined || broken.test(finish)) return undefined
  if (filtered.test(finish)) return 'filter'
  if (cut.test(finish)) return 'length'
  if (!hasCalls) return 'stop'
  return normal.test(finish) ? 'calls' : 'filter'
}
