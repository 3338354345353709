// Start of builds, and resumption of builds that have stopped.
import { basename, resolve } from 'node:path'
import { dataDir } from '../../base/dirs.ts'
import { UserError } from '../../base/errors.ts'
import { type BuildHead, makeBuildEntry } from '../../build/entries.ts'
import type { BuildPlan, BuildTask } from '../../build/plan.ts'
import type { PlanCost } from '../../build/plan-cost.ts'
import { type BuildState, foldBuild } from '../../build/state.ts'
import { findProfileServing } from '../../profile/profile-set.ts'
import { openRuntime } from '../../runtime/open-runtime.ts'
import type { NewJournalLine } from '../../store/journal/journal.ts'
import { listJournalLines } from '../../store/journal/lines.ts'
import { type LocalJournal, openJournal } from '../../store/journal/sqlite.ts'
import { createCutSignal } from '../../study/worker/task-stop.ts'
import { features } from '../features/index.ts'
import { type WorktreeTools, withWorktreeTools } from '../runs/worktree/worktree-git.ts'
import { type BuildRun, demandNoLeader, withBuildLeader } from './build-leader.ts'
import { type BuildRequest, prepareBuild, readPlanText } from './build-request.ts'
import { createBuildBranch, openBuildWorktrees } from './build-worktrees.ts'
import { withBuild } from './known-builds.ts'
import { leadBuild } from './lead-build.ts'
import { checkPlanText } from './plan-build.ts'
import { estimateBuild } from './plan-estimate.ts'
import { ownWorker } from './program/acp-programs.ts'
import { isResumable, type RaisedLimits, renewBuild, renewLimits } from './resumed-limits.ts'

/**
 * Starts a build and leads it until it ends or is interrupted. Throws UserError (exit 2) if the request is
 * invalid or its agents have no model; then nothing is stored.
 */
export function startBuild(request: BuildRequest, run: BuildRun): Promise<BuildState> {
  return withTools(run, async (tools, cutSignal) => {
    const { head, plan } = await prepareBuild(tools, request, run.cwd)
    if (!plan) await requireModel('build_plan', head, run)
    else if (plan.tasks.some((task) => needsModel(task, head))) await requireModel('build_task', head, run)
    const journal = await openJournal(dataDir(run.env))
    try {
      const { repo } = openBuildWorktrees(tools, head)
      await journal.create(head.id, makeBuildEntry('build', head), head.budget ?? {})
      if (plan) await journal.append(head.id, [makeBuildEntry('plan', { plan }, 'plan')])
      if (plan) await createBuildBranch(repo, head)
      return await runLeader({ journal, tools, cut: cutSignal, run, id: head.id })
    } finally {
      await journal.close()
    }
  })
}

/**
 * Returns the checked plan of a request and its estimated cost; undefined for a request without a plan file.
 * Throws UserError (exit 2) for an invalid request. Stores nothing.
 */
export const readPlanOf = (
  request: BuildRequest,
  { cwd, ...run }: BuildRun,
): Promise<{ plan: BuildPlan; cost: PlanCost } | undefined> =>
  withTools(run, async (tools) => {
    const { head, plan } = await prepareBuild(tools, request, cwd)
    const { repo } = openBuildWorktrees(tools, head)
    return plan && { plan, cost: await estimateBuild(head, plan, { repo, ...run }) }
  })

/** Returns true for a task that Anode's own agent may do, because that agent needs a model. */
const needsModel = (
  { do: text, worker }: BuildTask,
  { programs: { turns } = { turns: [ownWorker] } }: BuildHead,
) => text !== undefined && (worker === undefined ? turns.includes(ownWorker) : worker === ownWorker)

/** Throws UserError (exit 2) if no model can be used for the profile that serves `work`. */
async function requireModel(
  work: string,
  { project, model, planner }: BuildHead,
  { env, signal }: BuildRun,
): Promise<void> {
  const options = { features, env, signal, cwd: project, mode: 'auto', addDirs: [] } as const
  const runtime = await openRuntime({ ...options, terminal: undefined, isForeignLater: true })
  try {
    const profile = findProfileServing(await runtime.profiles(), work)
    await runtime.model(planner?.model ?? model ?? profile.model)
  } finally {
    await runtime.close()
  }
}

/**
 * Resumes a build. `file`: path of the plan, for a build whose plan is not stored yet. Throws UserError, for
 * example with exit 2 for an unknown build or an invalid plan, and with exit 1 if nothing is left to do or if
 * a process leads the build.
 */
export function resumeBuild(
  name: string,
  { file, ...limits }: RaisedLimits & { file?: string },
  run: BuildRun,
): Promise<BuildState> {
  return withTools(run, (tools, cutSignal) =>
    withBuild(name, run, async ({ journal, id }) => {
      await demandNoLeader(journal, id)
      const state = foldBuild(await listJournalLines(journal, id))
      const plan = file === undefined ? [] : [await readApprovedPlan(tools, state, file, run)]
      await journal.append(id, [...renewBuild(state, limits, plan.length > 0), ...plan])
      const renewed = foldBuild(await listJournalLines(journal, id))
      await restoreBranch(tools, renewed)
      await journal.limit(id, renewed.head.budget ?? {})
      return runLeader({ journal, tools, cut: cutSignal, run, id })
    }),
  )
}

/**
 * Returns the journal entry with the plan in a file. The cost of the planning agent stays in the budget of
 * the build. Throws UserError if the build already has a plan, or if the file is invalid.
 */
async function readApprovedPlan(
  tools: WorktreeTools,
  { head, tasks }: BuildState,
  file: string,
  { cwd, env }: BuildRun,
): Promise<NewJournalLine> {
  if (tasks.size > 0)
    throw new UserError(`build ${head.id} has a plan`, {
      hint: `anode build --plan ${file} starts a new one`,
    })
  const text = await readPlanText(resolve(cwd, file), file)
  const { repo } = openBuildWorktrees(tools, head)
  const plan = await checkPlanText({ head, repo, env }, text, basename(file))
  return makeBuildEntry('plan', { plan }, 'plan')
}

/**
 * Starts a task again that is not merged, and all tasks whose work did not fail but that ended, for example
 * at a limit. Throws UserError for an unknown build or task, for a merged task, and while another process
 * leads the build.
 */
export function retryBuildTask(name: string, task: string, run: BuildRun): Promise<BuildState> {
  return withTools(run, (tools, cutSignal) =>
    withBuild(name, run, async ({ journal, id }) => {
      await demandNoLeader(journal, id)
      const state = foldBuild(await listJournalLines(journal, id))
      const failed = state.tasks.get(task)
      if (!failed)
        throw new UserError(`build ${id} has no task "${task}"`, { hint: [...state.tasks.keys()].join(', ') })
      if (failed.status === 'merged')
        throw new UserError(`task "${task}" is merged`, { exit: 1, hint: `anode build show ${id} ${task}` })
      const reopened = [failed, ...[...state.tasks.values()].filter(isResumable)]
      const ids = [...new Set(reopened.map((one) => one.task.id))]
      const limits = makeBuildEntry('limits', renewLimits(state, {}))
      await journal.append(id, [limits, ...ids.map((one) => makeBuildEntry('retry', { task: one }))])
      return runLeader({ journal, tools, cut: cutSignal, run, id })
    }),
  )
}

/**
 * Creates the branch of a build if it is missing because the process was killed before it created the branch.
 */
async function restoreBranch(tools: WorktreeTools, { head, commits, plan }: BuildState): Promise<void> {
  const { repo } = openBuildWorktrees(tools, head)
  if (commits.length > 0 || plan.tasks.length === 0) return
  const { exit } = await repo.run({
    file: 'git',
    args: ['rev-parse', '--verify', '-q', head.ref],
    cwd: head.top,
  })
  if (exit !== 0) await createBuildBranch(repo, head)
}

interface LeadPlace {
  journal: LocalJournal
  tools: WorktreeTools
  cut: AbortSignal
  run: BuildRun
  id: string
}

const runLeader = ({ journal, tools, cut: cutSignal, run, id }: LeadPlace) =>
  withBuildLeader(
    { journal, id, run, cut: cutSignal, open: ({ head }) => openBuildWorktrees(tools, head) },
    leadBuild,
  )

/**
 * Runs `work` with git for the build. After the user has stopped the build, running git commands get some
 * time to end.
 */
function withTools<T>(
  { env, signal }: Pick<BuildRun, 'env' | 'signal'>,
  work: (tools: WorktreeTools, cut: AbortSignal) => Promise<T>,
): Promise<T> {
  const cutSignal = createCutSignal(signal)
  return withWorktreeTools(env, cutSignal, (tools) => work(tools, cutSignal))
}
