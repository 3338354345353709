// Estimate of the cost of a build, from the sizes of the files that tasks may change and the price
// of the model.
import type { EnvironmentVariables } from '../../base/environment.ts'
import { UserError } from '../../base/errors.ts'
import type { BuildHead } from '../../build/entries.ts'
import type { BuildPlan } from '../../build/plan.ts'
import { estimatePlanCost, type PlanCost } from '../../build/plan-cost.ts'
import { findProfileServing } from '../../profile/profile-set.ts'
import { type GitRepository, runGit } from '../../research/git/git-tree.ts'
import { openRuntime } from '../../runtime/open-runtime.ts'
import { features } from '../features/index.ts'
import { ownWorker } from './program/acp-programs.ts'

interface EstimatePlace {
  repo: GitRepository
  env: EnvironmentVariables
  signal: AbortSignal
}

/** Estimates the cost of a plan. Without a usable model the price is unknown. */
export async function estimateBuild(
  head: Pick<BuildHead, 'base' | 'model' | 'programs' | 'project'>,
  plan: BuildPlan,
  { repo, env, signal }: EstimatePlace,
): Promise<PlanCost> {
  const turns = head.programs?.turns ?? [ownWorker]
  const hasAgents = plan.tasks.some((task) => task.do !== undefined)
  if (!hasAgents) return estimatePlanCost(plan, { sizes: new Map(), turns })
  const sizes = await listSizes(repo, head.base)
  return estimatePlanCost(plan, { sizes, turns, rates: await readRates(head, env, signal) })
}

/** Returns the size in bytes of each file of a commit. */
async function listSizes(repo: GitRepository, commit: string): Promise<ReadonlyMap<string, number>> {
  const rows = (await runGit(repo, ['ls-tree', '-r', '-l', '-z', '--full-tree', commit])).split('\0')
  return new Map(
    rows.flatMap((row) => {
      const [, size, path] = /^\S+ blob \S+ +(\d+)\t(.*)$/s.exec(row) ?? []
      return path === undefined ? [] : [[path, Number(size)] as const]
    }),
  )
}

async function readRates(
  { project, model }: Pick<BuildHead, 'project' | 'model'>,
  env: EnvironmentVariables,
  signal: AbortSignal,
) {
  const options = { features, env, signal, cwd: project, mode: 'auto', addDirs: [] } as const
  const runtime = await openRuntime({ ...options, terminal: undefined, isForeignLater: true })
  try {
    const profile = findProfileServing(await runtime.profiles(), 'build_task')
    const taskModel = await runtime.model(model ?? profile.model)
    return taskModel.kind === 'llm' ? taskModel.rates : undefined
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return undefined
  } finally {
    await runtime.close()
  }
}
