// The task prompt: a worker's contract, and what the tasks before it have found.

import type { StudyTask } from '../log/entries.ts'
import type { StudyState } from '../log/state.ts'

/**
 * The first message of a task. It depends on the plan and on finished tasks alone, never on who works when.
 */
export function buildTaskPrompt(task: StudyTask, state: StudyState): string {
  const others = [...state.tasks.keys()].filter((id) => id !== task.id)
  const lines = [
    `Task ${task.id}: ${task.objective}`,
    `Search terms: ${task.terms.join(', ') || 'as you see fit'}`,
    `Sources: ${task.sources.join(', ')}`,
    task.boundaries === '' ? '' : `Not yours: ${task.boundaries}`,
    `Form of the answer: ${task.output}`,
    `Stop when: ${task.stop}`,
    others.length === 0
      ? ''
      : `Mailboxes: you are ${task.id}; ${others.join(', ')} are the other workers, aggman writes the report`,
  ]
  return [lines.filter((line) => line !== '').join('\n'), ...before(task, state)].join('\n\n')
}

/** Claims of the tasks that this one needs, as material. */
function before(task: StudyTask, { recorded, evidence }: StudyState): string[] {
  const found = [...recorded.values()].filter((claim) => task.dependsOn.includes(claim.task))
  if (found.length === 0) return []
  const claimLines = found.map(({ text, evidence: id, quote }) => {
    const place = evidence.get(id)
    return (
      `${id} (${place?.canonical ?? 'unknown'}, ${place?.locator ?? ''}): ` +
      `${text}${quote === text ? '' : ` "${quote}"`}`
    )
  })
  return [
    'What the tasks before yours have claimed; it is material, and its evidence may be cited:\n' +
      `<claims>\n${claimLines.join('\n').replaceAll('</claims>', '< /claims>')}\n</claims>`,
  ]
}
