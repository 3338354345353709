// One attempt at a task: worktree, work, check of the changed paths, tests, and the result, which is stored
// and then queued for a merge.
import { UserError } from '../../base/errors.ts'
import { createId } from '../../base/ids.ts'
import { makeBuildEntry, type ReopenReason, type TaskEndReason } from '../../build/entries.ts'
import { isInScope } from '../../build/scope.ts'
import type { BuildState, BuildTaskState } from '../../build/state.ts'
import { taskTitle } from '../../build/summary.ts'
import type { EarlierPass, ProofReceipt } from '../../proof/prove.ts'
import type { BuildLeader } from './build-leader.ts'
import { describeFailure, maxCommandMs, proveIn, proveTwice } from './build-proof.ts'
import { listChanges } from './build-worktrees.ts'
import { restoreWork, storeWork } from './interrupted-work.ts'
import { openAcpProgram, ownWorker } from './program/acp-programs.ts'
import { type AgentWork, runTaskAgent } from './task-agent.ts'
import { runWorktreeCommand } from './worktree-command.ts'

/** Reasons for which a task gets another attempt only once, because the same work would fail again. */
const reopenedOnce: ReadonlySet<ReopenReason> = new Set(['scope', 'no_change'])

/** Returns the name of the worktree of a task. */
export const worktreeOf = (id: string): string => `t-${id}`

/**
 * Runs the next attempt of a task, or continues the one that a killed process has left. Returns early when
 * the build stops; the attempt then continues later.
 */
export async function runTaskAttempt(leader: BuildLeader, id: string): Promise<void> {
  const { state, worktrees } = leader
  const task = leader.taskOf(id)
  const name = worktreeOf(id)
  if (task.status === 'waiting' || task.status === 'reopened') {
    const { interrupted } = task.agent
    if (interrupted)
      await restoreWork(leader, await prepareWorktree(leader, name, interrupted.base), interrupted)
    if (leader.cut.aborted) return
    await startAttempt(leader, task)
  }
  const hasWorked = task.steps > 0 || task.agent.paid.length > 0
  if (hasWorked && !worktrees.has(name)) return endWithoutWorktree(leader, task)
  let denied: string | undefined
  let passed: EarlierPass | undefined
  if (task.steps === 0) {
    // an agent with stored responses continues with the files that it has changed, so its worktree is
    // not created again
    if (task.agent.paid.length === 0) await prepareWorktree(leader, name, task.tip ?? state.tip)
    if (leader.cut.aborted) return
    const work = await runStep(leader, task)
    if (work.kind === 'cut') return
    if (work.kind === 'limit') return endTask(leader, task, { why: 'limit', detail: work.detail })
    if (work.kind === 'denied') denied = work.detail
    if (work.kind === 'worked') passed = work.passed
  }
  if (!worktrees.has(name)) return endWithoutWorktree(leader, task)
  await judgeAttempt(leader, task, { denied, passed })
}

/** Ends a task whose worktree is unusable, because it was removed or its file `.git` was changed. */
const endWithoutWorktree = (leader: BuildLeader, task: BuildTaskState): Promise<void> =>
  endTask(leader, task, {
    why: 'worktree',
    detail: `${leader.worktrees.pathOf(worktreeOf(task.task.id))} is not a worktree any more`,
  })

async function startAttempt({ state, worktrees, write }: BuildLeader, task: BuildTaskState): Promise<void> {
  const { id } = task.task
  const attempt = task.attempt + 1
  const isAgent = task.task.do !== undefined
  const nextWorker = isAgent ? chooseWorker(state, task, attempt) : 'command'
  const worker = (task.agent.interrupted && task.worker) ?? nextWorker
  const thread = worker === ownWorker ? (task.agent.thread ?? createId('sess')) : undefined
  const worktree = worktrees.pathOf(worktreeOf(id))
  const tip = task.agent.interrupted?.base ?? state.tip
  const data = { task: id, attempt, worker, tip, worktree, thread }
  await write(makeBuildEntry('task.started', data, `task.started:${id}:${attempt}`))
}

/**
 * Returns the worker (agent or program) of an attempt: the one that the plan names for the task, otherwise
 * the next one of the build's workers in turn. After a failed attempt, a build with several workers ignores
 * the named one.
 */
function chooseWorker({ head, plan }: BuildState, { task }: BuildTaskState, attempt: number): string {
  const { turns } = head.programs ?? { turns: [ownWorker] }
  const at = plan.tasks.findIndex(({ id }) => id === task.id) + attempt - 1
  // after a failed attempt, the next worker in turn gets the task
  const isFirst = attempt === 1 || turns.length === 1
  if (task.worker !== undefined && isFirst) return task.worker
  return turns[at % turns.length] ?? ownWorker
}

/**
 * Creates a worktree at a commit, runs the setup command of the build in it, and resolves to its path.
 * With `isExact`, every file of a reused worktree is compared with the commit. Throws UserError if the
 * setup command fails.
 */
export async function prepareWorktree(
  leader: BuildLeader,
  name: string,
  tip: string,
  isExact = false,
): Promise<string> {
  const { state, worktrees } = leader
  const path = await worktrees.create(name, tip, isExact)
  if (state.head.setup === undefined) return path
  const { exit, output } = await runCommand(leader, state.head.setup, path)
  if (exit !== 0 && !leader.cut.aborted)
    throw new UserError(`the setup fails: ${state.head.setup}`, { hint: output, exit: 1 })
  return path
}

const runCommand = (
  { run, state, cut: cutSignal, sandboxes, children }: BuildLeader,
  command: string,
  cwd: string,
) =>
  runWorktreeCommand({
    command,
    cwd,
    env: run.env,
    sandbox: state.head.sandbox,
    sandboxMemory: sandboxes,
    childOwner: children,
    signal: cutSignal,
    timeoutMs: maxCommandMs,
  })

/** Runs the work of the task and stores its end, unless the work was interrupted or reached a limit. */
async function runStep(leader: BuildLeader, task: BuildTaskState): Promise<AgentWork> {
  const { id, run } = task.task
  if (run === undefined && task.worker !== ownWorker) return runProgram(leader, task)
  if (run === undefined)
    return runTaskAgent(leader, task, {
      name: worktreeOf(id),
      timeoutMs: maxCommandMs,
      listOutside: (paths) => listOutside(leader, task, paths),
    })
  const { attempt } = task
  const end = await runCommand(leader, run, leader.worktrees.pathOf(worktreeOf(id)))
  if (end.ended === 'cancelled' || leader.cut.aborted) return { kind: 'cut' }
  const { exit, ms, output } = end
  const data = { task: id, attempt, n: 1, exit, ms, output }
  await leader.write(makeBuildEntry('step', data, `step:${id}:${attempt}:1`))
  return { kind: 'worked' }
}

/** Runs the agent of another program in the worktree of the task. */
async function runProgram(leader: BuildLeader, task: BuildTaskState): Promise<AgentWork> {
  const { state, run, worktrees } = leader
  const { id, until, allow } = task.task
  const commands = until.length > 0 ? until : state.plan.until
  const order = { commands, base: task.tip ?? state.tip, allow }
  const [{ runAcpTask }, program] = await Promise.all([
    import('./program/acp-task.ts'),
    openAcpProgram(task.worker ?? '', { project: state.head.project, model: state.head.model, run }),
  ])
  return runAcpTask(leader, task, {
    program,
    cwd: worktrees.pathOf(worktreeOf(id)),
    async check() {
      if (commands.length === 0) return undefined
      const receipt = await leader.checks.run(() => proveIn(leader, worktreeOf(id), order))
      return receipt.state === 'unproven' ? describeFailure(receipt)[1] : undefined
    },
  })
}

/**
 * Checks the changed paths and runs the tests of an attempt, then stores and queues the result. After a
 * failure, the task gets another attempt, or ends if it has none left. If `denied` describes a denied call, a
 * failure ends the task with the reason `denied`. `passed`: the check that the work has already passed.
 */
async function judgeAttempt(
  leader: BuildLeader,
  task: BuildTaskState,
  { denied, passed }: { denied: string | undefined; passed: EarlierPass | undefined },
): Promise<void> {
  const { state, worktrees } = leader
  const { id } = task.task
  const base = task.tip ?? state.tip
  const tree = await worktrees.survey(worktreeOf(id))
  const [files, bytes] = await Promise.all([
    listChanges(worktrees.repo, base, tree),
    worktrees.patch(base, tree),
  ])
  const patch = await leader.store(bytes)
  const fail = (why: ReopenReason | 'tampered', detail: string) =>
    denied === undefined
      ? reopenTask(leader, task, { why, detail, patch })
      : endTask(leader, task, { why: 'denied', detail: `${denied}\n${detail}`, patch })
  if (task.step && task.step.exit !== 0)
    return fail('work', `exit ${task.step.exit ?? 'by signal or time limit'}\n${task.step.output}`)
  if (files.length === 0) return fail('no_change', 'the task ended without a change')
  const outside = listOutside(leader, task, files)
  if (outside.length > 0) return fail('scope', outside.join('\n'))
  const receipt = await proveTask(leader, task, { base, tree, passed })
  if (receipt === 'cut') return
  if (receipt?.state === 'unproven') return fail(...describeFailure(receipt))
  const commit = await worktrees.commit(tree, base, messageOf(leader, task))
  const { attempt } = task
  const result = { task: id, attempt, base, commit, files, patch }
  await leader.write(
    makeBuildEntry('result', result, `result:${id}:${attempt}`),
    makeBuildEntry('queued', { task: id, attempt }, `queued:${id}:${attempt}`),
  )
  await worktrees.remove(worktreeOf(id))
}

/** Returns those of `files` that the task may not change. */
export const listOutside = (
  { state }: BuildLeader,
  { task }: BuildTaskState,
  files: readonly string[],
): string[] => files.filter((path) => !isInScope([...task.scope, ...state.plan.shared], path))

/**
 * Runs the checks of the task, or else those of the plan, in its worktree. If this attempt already has a
 * stored result, returns it. Returns `cut` if the checks were interrupted, and undefined without checks.
 */
async function proveTask(
  leader: BuildLeader,
  task: BuildTaskState,
  { base, tree, passed }: { base: string; tree: string; passed: EarlierPass | undefined },
): Promise<ProofReceipt | 'cut' | undefined> {
  const { state, write, worktrees } = leader
  const { id, until } = task.task
  const commands = until.length > 0 ? until : state.plan.until
  if (commands.length === 0) return undefined
  if (task.proof) return task.proof.receipt
  const { attempt } = task
  const name = worktreeOf(id)
  // a failed check runs again only if it has changed no files, because the second run needs the same files
  const restore = async () => (await worktrees.survey(name)) === tree
  const order = { commands, base, allow: task.task.allow, restore, passed }
  const proved = await leader.checks.run(() => proveTwice(leader, name, order))
  if (!proved) return 'cut'
  const data = { task: id, attempt, where: 'task', ...proved } as const
  await write(makeBuildEntry('proof', data, `proof:${id}:${attempt}`))
  return proved.receipt
}

/** Returns the message of the commit: the title, and a last line that names the build and the task. */
const messageOf = ({ state }: BuildLeader, task: BuildTaskState) =>
  `${taskTitle(task)}\n\nAnode-Task: ${state.head.id}/${task.task.id}\n`

interface TaskFailure {
  why: TaskEndReason
  detail: string
  patch?: readonly string[]
}

/**
 * Gives the task another attempt. Ends it instead if it has no attempts left, or if it failed before for a
 * reason that allows only one more attempt.
 */
export async function reopenTask(
  leader: BuildLeader,
  task: BuildTaskState,
  { why, detail, patch = [] }: TaskFailure,
): Promise<void> {
  const reason = why === 'tampered' ? 'checks' : (why as ReopenReason)
  const isSpent = task.attempt - task.spare >= leader.state.head.attempts
  const isRepeated = reopenedOnce.has(reason) && (task.reopened[reason] ?? 0) > 0
  if (isSpent || isRepeated) return endTask(leader, task, { why, detail, patch })
  const { attempt } = task
  const { id } = task.task
  await leader.write(makeBuildEntry('reopened', { task: id, attempt, why: reason, detail, patch }))
  await leader.worktrees.remove(worktreeOf(id))
}

/**
 * Ends the task without a merge. The patch of its last attempt stays stored. After a limit or a cancellation,
 * its unfinished work is stored too, so that a resumed build continues with it.
 */
export async function endTask(
  leader: BuildLeader,
  task: BuildTaskState,
  { why, detail, patch = [] }: TaskFailure,
): Promise<void> {
  const { write, worktrees } = leader
  const { id } = task.task
  const isStopped = why === 'limit' || why === 'cancelled'
  const work = isStopped ? await storeWork(leader, worktreeOf(id), task) : undefined
  await write(makeBuildEntry('task.ended', { task: id, why, detail, patch, ...work }))
  await worktrees.remove(worktreeOf(id))
}
