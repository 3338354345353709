// Agent that works on one task of a build: its message, its check, its share of the budget, and the journal
// entry about its end.
import { makeBuildEntry } from '../../build/entries.ts'
import type { BuildTaskState } from '../../build/state.ts'
import { taskTitle } from '../../build/summary.ts'
import { describeTaskAttempt } from '../../build/task-prompt.ts'
import type { EarlierPass } from '../../proof/prove.ts'
import type { GoalOrder } from '../../runtime/run/stop-gate.ts'
import { carryTrust } from '../runs/worktree/create-worktree.ts'
import { type BuildAgentEnd, runBuildAgent } from './build-agent.ts'
import type { BuildLeader } from './build-leader.ts'
import { noticeScope } from './scope-notice.ts'

/**
 * Share of the budget for attempts that do not follow a merge conflict. An attempt after a conflict may use
 * the whole budget.
 */
const usualShare = 0.9

/** Returns the share of the budget, from 0 to 1, that the current attempt of a task may use. */
export const budgetShare = ({ agent: { failure } }: BuildTaskState): number =>
  failure?.why === 'conflict' ? 1 : usualShare

/** Number of failed checks after which the attempt of the agent ends. */
const maxChecks = 5

/**
 * How the work of an agent ended. `limit` ends the task. `denied` (a call was denied) ends the task only if
 * its checks then fail. `cut` means interrupted, so the attempt continues later. `passed` is the result of
 * the check at the end, if it passed.
 */
export type AgentWork =
  | { kind: 'worked'; passed?: EarlierPass | undefined }
  | { kind: 'cut' }
  | { kind: 'limit' | 'denied'; detail: string }

interface TaskPlace {
  name: string
  timeoutMs: number
  listOutside(paths: readonly string[]): readonly string[]
}

/**
 * Runs the agent in the task's worktree until it ends. Then writes the journal entry `step` about the end,
 * unless the budget, the deadline or an interruption ended the agent.
 */
export async function runTaskAgent(
  leader: BuildLeader,
  task: BuildTaskState,
  { name, timeoutMs, listOutside }: TaskPlace,
): Promise<AgentWork> {
  const { state, worktrees, run } = leader
  await carryTrust(run, { origin: state.head.project, cwd: worktrees.pathOf(name) })
  const { id, allow, until } = task.task
  const started = Date.now()
  const commands = until.length > 0 ? until : state.plan.until
  const limits = { allow: [...allow], seal: [], network: [], timeout_ms: timeoutMs, attempts: maxChecks }
  const goal: GoalOrder = { ...limits, commands: [...commands], firstCheck: 'skip' }
  const ran = await runBuildAgent(leader, {
    cwd: worktrees.pathOf(name),
    serves: 'build_task',
    key: id,
    title: taskTitle(task),
    thread: task.agent.thread ?? '',
    prompt: describeTaskAttempt(state, task, await readFailure(leader, task)),
    goal: commands.length > 0 ? goal : undefined,
    mode: state.head.approval ?? 'auto',
    share: budgetShare(task),
    paid: task.agent.paid,
    taken: Math.max(0, ...task.agent.replies),
    adaptTools: (tools) =>
      noticeScope(tools, { listOutside, listChanged: () => worktrees.listChanged(name) }),
  })
  const { end, refused, isDenied } = ran
  if (refused !== undefined) return { kind: 'limit', detail: refused }
  if (end.end === 'limit' && end.reason === 'time') return { kind: 'limit', detail: 'the deadline is over' }
  if (end.end === 'cancelled' || leader.cut.aborted) return { kind: 'cut' }
  await writeStep(leader, task, ran, Date.now() - started)
  if (isDenied) return { kind: 'denied', detail: 'a call needed approval, and no one could approve it' }
  return { kind: 'worked', passed: readPass(ran) }
}

/**
 * Returns the commands that passed in the worktree, with the hash of its files, so that they need not run
 * again. Undefined unless the check at the end of the run passed. Commands that passed only with the original
 * tests are left out.
 */
function readPass({ proof }: BuildAgentEnd): EarlierPass | undefined {
  if (proof?.state !== 'proven') return undefined
  const checks = proof.checks.flatMap(({ command, exit, ms, originals }) =>
    originals === 'kept'
      ? [{ command, exit, ms, originals: 'kept' as const, output: '', ended: undefined, refused: undefined }]
      : [],
  )
  return { tree: proof.tree, checks }
}

/** Returns the failure of the previous attempt with its patch; undefined without a failed attempt. */
export async function readFailure(leader: BuildLeader, { agent: { failure } }: BuildTaskState) {
  return failure && { ...failure, patch: (await leader.read(failure.patch)).toString('utf8') }
}

async function writeStep(
  leader: BuildLeader,
  { task: { id }, attempt }: BuildTaskState,
  { end }: BuildAgentEnd,
  ms: number,
): Promise<void> {
  const isFailed = end.end === 'failed' && end.reason !== 'tampered'
  const output = isFailed ? `${end.reason}: ${end.message}\n${end.text}` : end.text
  const data = { task: id, attempt, n: 1, exit: isFailed ? 1 : 0, ms, output: output.slice(-4096).trim() }
  await leader.write(makeBuildEntry('step', data, `step:${id}:${attempt}:1`))
}
