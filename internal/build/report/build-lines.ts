// The text of a build for terminals. Entries that start, queue, merge, reopen or end a task, or that begin or
// end the build, get one line each; the status gets one line for each task.
import type { BuildEntry } from '../entries.ts'
import type { BuildSummary, BuildTaskSummary } from '../summary.ts'

/** Returns the line for one entry of the journal; undefined if it is not shown. */
export function formatBuildEntry({ kind, data }: { kind: string; data: object }): string | undefined {
  const entry = { kind, data } as BuildEntry
  if (entry.kind === 'build') return `build ${entry.data.id}  ${entry.data.ref.replace('refs/heads/', '')}`
  if (entry.kind === 'task.started') return `${entry.data.task}  running  attempt ${entry.data.attempt}`
  if (entry.kind === 'queued') return `${entry.data.task}  queued`
  if (entry.kind === 'merge.started') return `${entry.data.task}  merging  ${entry.data.commit.slice(0, 10)}`
  if (entry.kind === 'merged') return `${entry.data.task}  merged  ${entry.data.commit.slice(0, 10)}`
  if (entry.kind === 'reopened')
    return `${entry.data.task}  reopened (${entry.data.why})  ${findFirstLine(entry.data.detail)}`
  if (entry.kind === 'task.ended')
    return `${entry.data.task}  failed (${entry.data.why})  ${findFirstLine(entry.data.detail)}`
  if (entry.kind === 'build.ended')
    return `build ${entry.data.end}${entry.data.detail === '' ? '' : `: ${entry.data.detail}`}`
  return undefined
}

/** Returns the first line that contains more than white space, or an empty text. */
export const findFirstLine = (text: string) => text.split('\n').find((line) => line.trim() !== '') ?? ''

/**
 * Returns true for an entry that is still printed when a build has ended, next to the
 * build's status: `reopened`.
 */
export const isLastingEntry = ({ kind }: { kind: string }): boolean => kind === 'reopened'

/**
 * Returns the status of a build: its head, one line for each task, the queue of results to merge,
 * details, how to resume a stopped build and, until the build ends, the longest chain of tasks. Empty
 * parts are left out.
 */
export function formatBuildStatus(build: BuildSummary): string[] {
  const { end, status, proof, queue, tasks } = build
  const merged = tasks.filter(({ state }) => state === 'merged').length
  const width = Math.max(4, ...tasks.map(({ id }) => id.length))
  return [
    `build ${build.id}  ${end ?? status}  ${merged} of ${tasks.length} merged`,
    build.goal,
    `branch  ${build.branch}  ${proof ?? 'not proven yet'}`,
    ...tasks.map((task) => formatTask(task, width)),
    ...(queue.length > 0 ? [`queue  ${queue.join(', ')}`] : []),
    ...(end === null && tasks.length > 1 ? [`critical path  ${build.critical_path.join(', ')}`] : []),
    ...(build.detail === null ? [] : [build.detail]),
    ...(status === 'stopped' ? [`its process is gone: anode build resume ${build.id}`] : []),
  ]
}

function formatTask(task: BuildTaskSummary, width: number): string {
  const { state, why, worker, attempt, check, commit, detail } = task
  const name = why === null ? state : `${state} (${why})`
  const parts = [
    task.id.padEnd(width),
    name.padEnd(20),
    (worker ?? '').padEnd(8),
    attempt > 0 ? `attempt ${attempt}` : '',
    commit === null ? '' : commit.slice(0, 10),
    state === 'merged' || check === null ? '' : `check ${check}`,
    state === 'merged' || detail === null ? '' : findFirstLine(detail),
  ]
  return parts
    .filter((part) => part.trim() !== '')
    .join('  ')
    .trimEnd()
}
