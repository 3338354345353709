// Text for users that says for how many parts of a question a quote was found.
import { countNoun } from '../../base/text/count-noun.ts'
import { readAbsent } from '../../text-analysis/absent-words.ts'
import { splitQuestion } from '../../text-analysis/facets.ts'

interface AskedTask {
  objective: string
  /** How the task ended, or `not_run` or `open`. */
  end: string
  reason?: string | null
  /** Number of claims of the task. */
  claims: number
  gaps: readonly string[]
}

/** Reasons for which a task does not run because another task answers its part. */
const answeredElsewhere = new Set(['merged', 'covered'])

/**
 * Returns a text such as `2 of 3 parts quoted`. A task by rules covers all parts of its objective, because
 * rules search for the whole question at once. Any other task is one part. `dropped` is the number of parts
 * without a task.
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

/**
 * Returns how many parts the gaps leave open. A gap belongs to the part with which its text ends; a gap about
 * missing words belongs to each part that contains one of them. Any other gap counts as a further open part.
 */
function countOpen(parts: readonly string[], gaps: readonly string[]): number {
  const open = new Set<string>()
  let others = 0
  for (const gap of gaps) {
    const absent = readAbsent(gap).map((word) => word.toLowerCase())
    const isAbout = (part: string) =>
      gap.endsWith(part) || absent.some((name) => part.toLowerCase().includes(name))
    const own = parts.filter(isAbout)
    if (own.length === 0) others++
    for (const part of own) open.add(part)
  }
  return open.size + others
}
