// The state of a build as one JSON object, for programs and for the page.
import type { BuildBoard, BuildBoardTask } from '../session/board/build-board.ts'
import { findBlockers, findCriticalPath } from './ready-tasks.ts'
import { type BuildState, type BuildTaskState, isTaskOver } from './state.ts'

export type BuildTaskSummary = BuildBoardTask
export type BuildSummary = BuildBoard

/**
 * Returns the summary of a build. `isLed`: a process is working on the build. `now`: milliseconds since 1970.
 */
export function summarizeBuild(state: BuildState, isLed: boolean, now = Date.now()): BuildSummary {
  const { head, plan, end, detail } = state
  const tasks = [...state.tasks.values()]
  const blockers = findBlockers(state)
  const place = { now, until: plan.until }
  return {
    id: head.id,
    goal: head.goal,
    workspace: head.project,
    status: end !== undefined ? 'ended' : isLed ? 'running' : 'stopped',
    end: end ?? null,
    detail: detail || null,
    branch: shortBranch(head.ref),
    base: head.base,
    tip: state.tip,
    proof: proofOf(state),
    repaid_steps: state.repaid,
    queue: tasks.filter(({ status }) => status === 'queued').map(({ task }) => task.id),
    critical_path: findCriticalPath(plan.tasks),
    tasks: tasks.map((task) => ({
      ...summarizeTask(task, place),
      blockers: blockers.get(task.task.id) ?? [],
    })),
    ...sumUsage([state.planner, ...tasks.map(({ agent }) => agent)]),
    created: head.created,
    updated: state.updated,
    deadline: head.deadline ?? null,
    pid: isLed ? (state.leader?.pid ?? null) : null,
  }
}

function proofOf({ head, closing }: BuildState): BuildSummary['proof'] {
  if (!head.isProven) return 'not proven'
  return closing?.state ?? null
}

function sumUsage(agents: readonly BuildState['planner'][]): { tokens: number; usd: number | null } {
  let tokens = 0
  let usd: number | null = 0
  for (const { spent } of agents) {
    tokens += spent.tokens
    usd = usd === null || spent.usd === null ? null : usd + spent.usd
  }
  return { tokens, usd }
}

function summarizeTask(
  task: BuildTaskState,
  { now, until }: { now: number; until: readonly string[] },
): Omit<BuildTaskSummary, 'blockers'> {
  const { status, why, detail, worker, attempt, proof, commit, files, started, ended: endTime } = task
  const failed = proof?.receipt.checks.find(({ exit }) => exit !== 0)?.command
  const isOpen = status === 'proving' || status === 'queued' || status === 'merging'
  const check = failed ?? (isOpen ? (task.task.until[0] ?? until[0]) : undefined)
  return {
    id: task.task.id,
    title: shortenTitle(task.task.do ?? task.task.run ?? ''),
    state: status,
    why: why ?? null,
    detail: detail || null,
    worker: worker ?? null,
    attempt,
    scope: task.task.scope,
    after: task.task.after,
    check: check ?? null,
    flaky: proof?.isFlaky === true,
    commit: commit ?? null,
    thread: task.agent.thread ?? null,
    ...task.agent.spent,
    files: files ?? task.result?.files ?? [],
    ms: started === undefined ? 0 : (isTaskOver(task) ? (endTime ?? started) : now) - started,
  }
}

/** Returns the name of a branch without `refs/heads/`. */
export const shortBranch = (ref: string): string => ref.replace(/^refs\/heads\//, '')

/**
 * Returns the first line of a task, at most 72 characters, as the title of its commit. For a command, this is
 * its id and the command.
 */
export const taskTitle = ({ task }: Pick<BuildTaskState, 'task'>): string =>
  shortenTitle(task.do ?? `${task.id}: ${task.run}`)

function shortenTitle(text: string): string {
  const [line = ''] = text.split('\n')
  return line.length > 72 ? `${line.slice(0, 71)}…` : line
}
