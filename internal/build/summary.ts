// The state of a build as one JSON object, for programs and for the page.
import type { TaskEndReason } from './entries.ts'
import { findBlockers, findCriticalPath } from './ready-tasks.ts'
import { type BuildState, type BuildTaskState, type BuildTaskStatus, isTaskOver } from './state.ts'

export interface BuildTaskSummary {
  id: string
  /** First line of its work. */
  title: string
  state: BuildTaskStatus
  why: TaskEndReason | null
  detail: string | null
  worker: string | null
  attempt: number
  scope: readonly string[]
  after: readonly string[]
  /** Tasks for which it waits. If it has not started and the list is empty, it waits for a free worker. */
  blockers: readonly string[]
  /** Command that is checked, or failed. */
  check: string | null
  flaky: boolean
  commit: string | null
  files: readonly string[]
  /** Thread of its agent. */
  thread: string | null
  /** Usage of its agent. `usd` is null if a price is unknown. */
  tokens: number
  usd: number | null
  /** Milliseconds from the first start to the end, or until now. */
  ms: number
}

export interface BuildSummary {
  id: string
  goal: string
  workspace: string
  /** `running`, `ended`, or `stopped`: it can be resumed. */
  status: 'running' | 'ended' | 'stopped'
  end: string | null
  detail: string | null
  branch: string
  base: string
  tip: string
  /** `proven`: every commit and the closing check passed. `not proven`: the build has no check. */
  proof: 'proven' | 'unproven' | 'not proven' | null
  repaid_steps: number
  queue: readonly string[]
  critical_path: readonly string[]
  tasks: readonly BuildTaskSummary[]
  /** Usage of the planner and of all agents. `usd` is null if a price is unknown. */
  tokens: number
  usd: number | null
  /** Milliseconds since 1970. */
  created: number
  updated: number
  deadline: number | null
  pid: number | null
}

/** `isLed`: a process is working on the build. `now`: milliseconds since 1970. */
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
  const { status, why, detail, worker, attempt, proof, commit, files, started, ended } = task
  const failed = proof?.receipt.checks.find(({ exit }) => exit !== 0)?.command
  const isOpen = status === 'proving' || status === 'queued' || status === 'merging'
  const check = failed ?? (isOpen ? (task.task.until[0] ?? until[0]) : undefined)
  return {
    id: task.task.id,
    title: taskTitle(task),
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
    ms: started === undefined ? 0 : (isTaskOver(task) ? (ended ?? started) : now) - started,
  }
}

/** Returns the name of a branch without `refs/heads/`. */
export const shortBranch = (ref: string): string => ref.replace(/^refs\/heads\//, '')

/** Returns the first line of a task, at most 72 characters, as the title of its commit. */
export function taskTitle({ task }: Pick<BuildTaskState, 'task'>): string {
  const [line = ''] = (task.do ?? `${task.id}: ${task.run}`).split('\n')
  return line.length > 72 ? `${line.slice(0, 71)}…` : line
}
