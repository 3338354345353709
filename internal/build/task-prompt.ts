// The messages that start the attempts of an agent at its task.
import { fenceText } from '../base/text/quoting/code-fence.ts'
import type { ReopenReason } from './entries.ts'
import type { BuildState, BuildTaskState } from './state.ts'

/**
 * Largest numbers of characters of a failure's text and of the previous attempt's patch; the rest is cut off.
 */
const maxDetail = 8_000
const maxPatch = 24_000

/** The failure of the previous attempt, with its patch. */
interface FailedAttempt {
  why: ReopenReason
  detail: string
  patch: string
}

/**
 * Returns the message that starts the current attempt. `failed` is the previous attempt, whose changes are
 * not in the new worktree: its failure is cut to 8,000 characters and its patch to 24,000.
 */
export function describeTaskAttempt(
  state: BuildState,
  task: BuildTaskState,
  failed: FailedAttempt | undefined,
): string {
  const parts = failed ? [describeRetry(state, task, failed.why)] : []
  parts.push(describeTask(state, task))
  if (failed) {
    parts.push(`Result of the last attempt:\n${fenceText(failed.detail.slice(0, maxDetail))}`)
    if (failed.patch !== '')
      parts.push(`Its patch, which is not in the files now:\n${fenceText(failed.patch.slice(0, maxPatch))}`)
  }
  return parts.join('\n\n')
}

const reasons: Readonly<Record<ReopenReason, string>> = {
  conflict:
    'Another task was merged first, and your changes conflict with it. Make them again on its result.',
  checks: 'The checks failed.',
  scope: 'Files outside of the scope were changed. Change only files in the scope.',
  no_change: 'No file was changed.',
  work: 'The attempt stopped with an error.',
}

function describeRetry(
  { head }: BuildState,
  { attempt, spare, task }: BuildTaskState,
  why: ReopenReason,
): string {
  const count = `Attempt ${attempt - spare} of ${head.attempts} at task ${task.id}.`
  return `${count} ${reasons[why]} The files are now those of the branch. Do the whole task again.`
}

function describeTask({ head, plan, tasks }: BuildState, { task }: BuildTaskState): string {
  const checks = task.until.length > 0 ? task.until : plan.until
  const others = [...tasks.values()].filter((other) => other.task.id !== task.id)
  const rows = others.map(({ task: other }) => `- ${other.id} (${other.scope.join(', ')}): ${titleOf(other)}`)
  const lines = [
    `Task ${task.id} of the goal "${head.goal}":\n\n${task.do ?? ''}`,
    `You may change only files that match: ${task.scope.join(', ')}`,
    ...(plan.shared.length > 0
      ? [`All tasks may also change, as little as possible: ${plan.shared.join(', ')}`]
      : []),
    ...(checks.length > 0 ? [`The task is done when this passes: ${checks.join(' && ')}`] : []),
    ...(rows.length > 0 ? [`Other agents do these tasks. Leave them alone:\n${rows.join('\n')}`] : []),
    'Do not commit. Your changes are committed and merged when the checks pass.',
  ]
  return lines.join('\n\n')
}

function titleOf({ do: text, run }: { do?: string; run?: string }): string {
  const [line = ''] = (text ?? run ?? '').split('\n')
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}
