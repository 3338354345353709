// A build on one screen while it runs: a line for each task, the queue, time and cost.
import { countNoun } from '../../base/text/count-noun.ts'
import type { RenderLook } from '../../render/pen.ts'
import { drawStatusBoard, formatClock, type StatusPhase } from '../../render/status-board.ts'
import { countCells } from '../../render/text/cell-width.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { BuildTaskStatus } from '../../session/board/build-board.ts'
import { describeBuildReason, describeBuildState } from '../../session/board/build-words.ts'
import type { JournalLine } from '../../store/journal/journal.ts'
import { advanceBuildState, type BuildState, beginBuildState } from '../state.ts'
import { type BuildSummary, type BuildTaskSummary, summarizeBuild } from '../summary.ts'
import { describeCost, findFirstLine } from './build-lines.ts'

/** A build while its entries come one by one. */
interface BuildFollower {
  /** Adds the next entry of the journal; the first one is the head of the build. */
  line(line: JournalLine): void
  /**
   * Returns the lines at time `now` (ms since 1970), at most `rows` or four, whichever is more; undefined
   * before the first entry.
   */
  draw(look: RenderLook, rows: number, now: number): string[] | undefined
}

export function followBuildBoard(): BuildFollower {
  let state: BuildState | undefined
  return {
    line(line) {
      if (state) advanceBuildState(state, line)
      else state = beginBuildState(line)
    },
    draw: (look, rows, now) => state && drawBuildBoard(summarizeBuild(state, true, now), look, rows, now),
  }
}

const phases: Readonly<Record<BuildTaskStatus, StatusPhase>> = {
  waiting: 'waiting',
  running: 'running',
  proving: 'running',
  queued: 'running',
  merging: 'running',
  merged: 'done',
  reopened: 'short',
  failed: 'failed',
  not_run: 'failed',
}

/**
 * Returns the lines of the board, none wider than the terminal: title, head, tasks, the queue and the totals.
 * At most `rows` of them, but always title, head, totals and, if there are tasks, the queue.
 */
export function drawBuildBoard(build: BuildSummary, look: RenderLook, rows: number, now: number): string[] {
  const { tasks } = build
  const merged = tasks.filter(({ state }) => state === 'merged').length
  const texts = alignColumns(listColumns(tasks))
  const board = {
    title: build.goal.split('\n', 1)[0] ?? '',
    head: `build ${build.id.slice(0, 10)}  ${build.branch}`,
    rows: tasks.map(({ state }, i) => ({ phase: phases[state], text: texts[i] ?? '' })),
    foot: [
      ...(tasks.length > 0 ? [`queue  ${describeQueue(build)}`] : []),
      [
        build.end ?? (tasks.length === 0 ? 'planning' : build.status),
        describeTime(build, now),
        tasks.length === 0 ? '' : `${merged} of ${countNoun(tasks.length, 'task')} merged`,
        ...describeCost(build),
      ]
        .filter((text) => text !== '')
        .join('  '),
    ],
  }
  return drawStatusBoard(board, look, rows)
}

/**
 * Returns the columns of each task as texts: name (at most 20 characters), state, worker, time, cost and a
 * description. The cost column is missing if no task has used tokens and each cost is known to be zero.
 */
function listColumns(tasks: readonly BuildTaskSummary[]): string[][] {
  const isPaid = tasks.some(({ tokens, usd }) => tokens > 0 || usd !== 0)
  return tasks.map((task) => [
    task.id.length > maxName ? `${task.id.slice(0, maxName - 1)}…` : task.id,
    describeBuildState(task.state),
    task.worker ?? '',
    task.attempt === 0 ? '' : formatClock(task.ms).padStart(5),
    ...(isPaid ? [describeCost(task).at(-1) ?? ''] : []),
    sanitizeText(describeTask(task)),
  ])
}

const maxName = 20

function alignColumns(rows: readonly string[][]): string[] {
  const count = rows[0]?.length ?? 0
  const widths = Array.from({ length: count }, (_, at) =>
    Math.max(0, ...rows.map((row) => countCells(row[at] ?? ''))),
  )
  const pad = (text: string, at: number) => text + ' '.repeat((widths[at] ?? 0) - countCells(text))
  return rows.map((row) =>
    row
      .map((text, at) => (at === count - 1 ? text : pad(text, at)))
      .filter((_, at) => widths[at] !== 0)
      .join('  ')
      .trimEnd(),
  )
}

/** Returns the work, check or result of a task, or that for which it waits. */
function describeTask(task: BuildTaskSummary): string {
  const { state, why, detail, blockers, check, commit, attempt, title } = task
  const reason = why === null ? '' : `${describeBuildReason(why)}: ${findFirstLine(detail ?? '')}`
  switch (state) {
    case 'waiting':
    case 'reopened': {
      const waits = `waits for ${blockers.length > 0 ? blockers.join(', ') : 'a worker'}`
      return reason === '' ? waits : `${waits}  ${reason}`
    }
    case 'running':
      return attempt > 1 ? `attempt ${attempt}  ${title}` : title
    case 'proving':
    case 'merging':
      return check === null ? '' : `check ${check}`
    case 'queued':
      return blockers.length > 0 ? `waits for ${blockers.join(', ')}` : 'next to merge'
    case 'merged':
      return `${(commit ?? '').slice(0, 10)}${task.flaky ? '  its check was flaky' : ''}`
    default:
      return reason
  }
}

function describeQueue({ tasks, queue }: BuildSummary): string {
  const merging = tasks.filter(({ state }) => state === 'merging').map(({ id }) => `${id} (merging)`)
  return [...merging, ...queue].join(', ') || 'empty'
}

function describeTime({ created, deadline, end, updated }: BuildSummary, now: number): string {
  const time = formatClock((end === null ? now : updated) - created)
  return deadline === null || end !== null ? time : `${time}, ${formatClock(deadline - now)} left`
}
