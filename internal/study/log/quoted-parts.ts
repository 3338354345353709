// Number of parts of a study's question that have a quote, as text for users.
import { countNoun } from '../../base/text/count-noun.ts'
import { splitQuestion } from '../../text-analysis/facets.ts'

interface AskedTask {
  objective: string
  /** The typed end, `not_run`, or `open`. */
  end: string
  reason?: string | null
  /** Number of claims of the task. */
  claims: number
  gaps: readonly string[]
}

/** Reasons for which a task does not run although its part is answered. */
const answeredElsewhere = new Set(['merged', 'covered'])

/**
 * Returns `2 of 3 parts quoted`. A task of rules has the parts of its objective, because rules search for the
 * whole question at once. Any other task is one part. `dropped` parts were never run.
 */
export function describeQuotedParts(
  tasks: readonly AskedTask[],
  isByRules: boolean,
  dropped: number,
): string {
  const asked = tasks.filter(({ end, reason }) => end !== 'not_run' || !answeredElsewhere.has(reason ?? ''))
  let all = dropped
  let quoted = 0
  for (const task of asked) {
    const parts = isByRules ? splitQuestion(task.objective) : []
    const names = parts.length > 1 ? parts : [task.objective]
    all += names.length
    if (task.end === 'done') quoted += names.length
    else if (task.claims > 0 && task.gaps.length > 0)
      quoted += names.length - Math.min(names.length, countOpen(names, task.gaps))
  }
  return `${quoted} of ${countNoun(all, 'part')} quoted`
}

/** Returns how many parts the gaps leave open. A gap that ends in no part leaves another one open. */
function countOpen(parts: readonly string[], gaps: readonly string[]): number {
  const named = parts.filter((part) => gaps.some((gap) => gap.endsWith(part)))
  const others = gaps.filter((gap) => !parts.some((part) => gap.endsWith(part)))
  return named.length + others.length
}
