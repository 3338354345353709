// The text of a build for terminals. Entries that start, queue, merge, reopen or end a task, or that begin or
// end the build, get one line each; the status gets one line for each task.
import { describeBuildReason, describeTaskState } from '../../session/board/build-words.ts'
import type { BuildEntry, TaskEndReason } from '../entries.ts'
import type { BuildSummary, BuildTaskSummary } from '../summary.ts'

/** Returns the line for one entry of the journal; undefined if it is not shown. */
export function formatBuildEntry({ kind, data }: { kind: string; data: object }): string | undefined {
  const entry = { kind, data } as BuildEntry
  if (entry.kind === 'build') return `build ${entry.data.id}  ${entry.data.ref.replace('refs/heads/', '')}`
  if (entry.kind === 'task.started') return `${entry.data.task}  running  attempt ${entry.data.attempt}`
  if (entry.kind === 'queued') return `${entry.data.task}  queued`
  if (entry.kind === 'merge.started') return `${entry.data.task}  merging  ${entry.data.commit.slice(0, 10)}`
  if (entry.kind === 'merged') return `${entry.data.task}  merged  ${entry.data.commit.slice(0, 10)}`
  if (entry.kind === 'reopened') {
    const { task, why, detail } = entry.data
    return `${task}  reopened (${describeBuildReason(why)})  ${findFirstLine(detail)}`
  }
  if (entry.kind === 'task.ended')
    return `${entry.data.task}  ${nameEnd(entry.data.why)}  ${findFirstLine(entry.data.detail)}`
  if (entry.kind === 'build.ended')
    return `build ${entry.data.end}${entry.data.detail === '' ? '' : `: ${entry.data.detail}`}`
  return undefined
}

/**
 * Returns the words for the end of a task without a merge. A task ends by a limit or a cancellation before or
 * after its start, so these words leave that open.
 */
function nameEnd(why: TaskEndReason): string {
  const words = describeBuildReason(why)
  if (why === 'dependency') return `not run (${words})`
  return why === 'limit' || why === 'cancelled' ? `ended (${words})` : `failed (${words})`
}

/** Returns the first line that contains more than white space, or an empty text. */
export const findFirstLine = (text: string) => text.split('\n').find((line) => line.trim() !== '') ?? ''

/**
 * Returns true for an entry that is still printed when a build has ended, next to the
 * build's status: `reopened`.
 */
export const isLastingEntry = ({ kind }: { kind: string }): boolean => kind === 'reopened'

/**
 * Returns the status of a build: its head, each task, the queue of results to merge, details, how to resume a
 * stopped build and, until the build ends, the longest chain of tasks. Empty parts are left out. A task is
 * one line, and a failed one also has the last lines of its failure.
 */
export function formatBuildStatus(build: BuildSummary): string[] {
  const { end, status, proof, queue, tasks } = build
  const merged = tasks.filter(({ state }) => state === 'merged').length
  const width = Math.max(4, ...tasks.map(({ id }) => id.length))
  const stateWidth = Math.max(20, ...tasks.map((task) => describeTaskState(task).length))
  return [
    `build ${build.id}  ${end ?? status}  ${merged} of ${tasks.length} merged`,
    build.goal,
    `branch  ${build.branch}  ${proof ?? 'not proven yet'}`,
    ...tasks.flatMap((task) => [formatTask(task, width, stateWidth), ...listLastLines(task)]),
    ...(queue.length > 0 ? [`queue  ${queue.join(', ')}`] : []),
    ...(end === null && tasks.length > 1 ? [`critical path  ${build.critical_path.join(', ')}`] : []),
    ...(build.detail === null ? [] : [build.detail]),
    ...(status === 'stopped' ? [`its process is gone: anode build resume ${build.id}`] : []),
  ]
}

function formatTask(task: BuildTaskSummary, width: number, stateWidth: number): string {
  const { state, worker, attempt, check, commit, detail, blockers, scope } = task
  const isMerged = state === 'merged'
  const reason = isMerged || detail === null ? '' : findFirstLine(detail)
  const parts = [
    task.id.padEnd(width),
    describeTaskState(task).padEnd(stateWidth),
    (worker ?? '').padEnd(8),
    attempt > 0 ? `attempt ${attempt}` : '',
    ...describeCost(task),
    commit === null ? '' : commit.slice(0, 10),
    isMerged ? '' : `scope ${scope.join(', ')}`,
    blockers.length > 0 ? `waits for ${blockers.join(', ')}` : '',
    isMerged || check === null ? '' : `check ${check}`,
    reason === check ? '' : reason,
  ]
  return parts
    .filter((part) => part.trim() !== '')
    .join('  ')
    .trimEnd()
}

/** Largest number of lines of a failure. An uncaught error of Node prints nine lines after its message. */
const maxLastLines = 12

/** Returns the last 12 lines that contain more than white space. */
export const findLastLines = (text: string): string[] => findLines(text).slice(-maxLastLines)

/** Returns the last lines of the failure of a task, indented, without its first line. */
function listLastLines({ state, detail }: BuildTaskSummary): string[] {
  if (state !== 'failed') return []
  const [, ...lines] = findLines(detail ?? '')
  return lines.slice(-maxLastLines).map((line) => `    ${line}`)
}

const findLines = (text: string) => text.split('\n').filter((line) => line.trim() !== '')

/** Returns tokens and dollars, without those that are zero. An unknown cost is the text `cost unknown`. */
export const describeCost = ({ tokens, usd }: Pick<BuildSummary, 'tokens' | 'usd'>): string[] => [
  ...(tokens > 0 ? [`tokens ${tokens}`] : []),
  ...(usd === null ? ['cost unknown'] : usd > 0 ? [`$${usd.toFixed(4)}`] : []),
]
