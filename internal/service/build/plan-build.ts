// Planning phase of a build: an agent that only reads makes the plan. The plan is checked and approved before
// any task starts.
import type { EnvironmentVariables } from '../../base/environment.ts'
import { UserError } from '../../base/errors.ts'
import { countNoun } from '../../base/text/count-noun.ts'
import { describeRunReason } from '../../base/text/reason-words.ts'
import { type BuildEnd, type BuildHead, makeBuildEntry } from '../../build/entries.ts'
import { type BuildPlan, maxTasks } from '../../build/plan.ts'
import { plannerKey } from '../../build/state.ts'
import { type GitRepository, listTree } from '../../research/git/git-tree.ts'
import { type BuildAgentEnd, runBuildAgent } from './build-agent.ts'
import type { BuildLeader, PlanTools } from './build-leader.ts'
import { checkedPlan } from './build-request.ts'
import { createBuildBranch } from './build-worktrees.ts'
import { estimateBuild } from './plan-estimate.ts'
import { openAcpProgram, ownWorker, requireKnownCost } from './program/acp-programs.ts'

/** Largest share of the budget that the planning agent may use, from 0 to 1. */
const planShare = 0.9

/**
 * Makes the plan, writes it to the journal and creates the branch of the build. After an invalid plan, the
 * planning agent gets the reason and a second attempt. Resolves to false if the build ends without a plan, or
 * if it was interrupted.
 */
export async function planBuild(leader: BuildLeader): Promise<boolean> {
  const { state } = leader
  const first = state.refusal ?? (await tryPlan(leader, describeGoal(leader)))
  if (first === undefined) return false
  if ('plan' in first) return writePlan(leader, first.plan)
  if (!state.refusal) await leader.write(makeBuildEntry('plan.refused', first, 'plan.refused'))
  const second = await tryPlan(leader, describeRefusal(first))
  if (second === undefined) return false
  if ('plan' in second) return writePlan(leader, second.plan)
  return endPlanning(leader, 'failed', `the plan is not valid: ${second.reason}\n${second.text}`)
}

interface RefusedPlan {
  reason: string
  text: string
}

/**
 * Asks the planner for a plan. Returns the plan, or the reason why it is invalid. Returns undefined if the
 * build has ended or was interrupted.
 */
async function tryPlan(
  leader: BuildLeader,
  prompt: string,
): Promise<{ plan: BuildPlan } | RefusedPlan | undefined> {
  const { head, planner } = leader.state
  const ran = await runBuildAgent(leader, {
    cwd: head.project,
    serves: 'build_plan',
    key: plannerKey,
    title: `plan: ${head.goal}`,
    thread: head.planner?.thread ?? '',
    model: head.planner?.model,
    prompt,
    mode: 'ask',
    share: planShare,
    paid: planner.paid,
    taken: Math.max(0, ...planner.replies),
  })
  const limit = limitOf(ran)
  if (limit !== undefined) await endPlanning(leader, 'partial', limit)
  else if (ran.end.end === 'failed') {
    const why = describeRunReason(ran.end.reason)
    await endPlanning(leader, 'failed', `the planner failed: ${why}: ${ran.end.message}`)
  }
  if (leader.state.end !== undefined || ran.end.end === 'cancelled' || leader.cut.aborted) return undefined
  return readAnswer(leader, ran.end.text)
}

function limitOf({ end, refused }: BuildAgentEnd): string | undefined {
  if (refused !== undefined) return `the budget ends before the plan: ${refused}`
  return end.end === 'limit' && end.reason === 'time' ? 'the deadline is over before the plan' : undefined
}

/**
 * Reads and checks the plan in an answer: its first fenced block, or all of it. Returns the plan, or the
 * reason why it is invalid.
 */
async function readAnswer(leader: BuildLeader, answer: string): Promise<{ plan: BuildPlan } | RefusedPlan> {
  const text = /^```(?:ya?ml|json)?\s*\n([\s\S]*?)^```/m.exec(answer)?.[1] ?? answer
  try {
    return { plan: await checkPlanText(placeOf(leader), text, 'plan') }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return {
      reason: [error.message, error.hint].filter((one) => one).join('; '),
      text: text.slice(0, 20_000),
    }
  }
}

interface PlannedBuild {
  head: BuildHead
  repo: GitRepository
  env: EnvironmentVariables
}

const placeOf = ({ state: { head }, worktrees: { repo }, run: { env } }: BuildLeader): PlannedBuild => ({
  head,
  repo,
  env,
})

/**
 * Returns the plan in a text, for a build that has no plan yet. Errors name the text `file`. Throws UserError
 * with the reason, and with the line unless an id is reserved or a worker cannot be used.
 */
export async function checkPlanText(place: PlannedBuild, text: string, file: string): Promise<BuildPlan> {
  const { head, repo, env } = place
  const files = [...(await listTree(repo, head.base)).keys()]
  const order = { until: head.planner?.until ?? [], noProof: !head.isProven }
  const { plan } = await checkedPlan(text, { file, files, repo, env, ...order })
  if (plan.tasks.some(({ id }) => id === plannerKey))
    throw new UserError(`the id "${plannerKey}" is reserved`, { hint: 'use another id' })
  for (const worker of new Set(plan.tasks.flatMap((task) => task.worker ?? []))) {
    if (worker === ownWorker) continue
    await openAcpProgram(worker, { project: head.project, model: head.model, run: { env } })
    requireKnownCost(worker, head.budget, head.programs?.minutes)
  }
  return { ...plan, goal: plan.goal || head.goal }
}

async function writePlan(leader: BuildLeader, newPlan: BuildPlan): Promise<boolean> {
  const { run, state } = leader
  const { head } = state
  const place = placeOf(leader)
  const tools: PlanTools = {
    check: (text) => checkPlanText(place, text, 'plan.yaml'),
    estimate: (planned) => estimateBuild(head, planned, { ...place, signal: run.signal }),
  }
  const plan = run.onPlan === undefined ? newPlan : await run.onPlan(newPlan, tools)
  if (plan === undefined) {
    await leader.write(makeBuildEntry('dropped', {}, 'dropped'))
    return endPlanning(leader, 'cancelled', 'only the plan was requested')
  }
  await leader.write(makeBuildEntry('plan', { plan }, 'plan'))
  await createBuildBranch(leader.worktrees.repo, head)
  return true
}

async function endPlanning(leader: BuildLeader, end: BuildEnd, detail: string): Promise<false> {
  await leader.write(makeBuildEntry('build.ended', { end, detail }))
  return false
}

function describeGoal({ state: { head } }: BuildLeader): string {
  const { goal, planner: { until } = { until: [] }, workers } = head
  const checks = until.length > 0 ? `\nThese checks already run after each merge: ${until.join(', ')}` : ''
  return (
    `Goal: ${goal}\n\n${countNoun(workers, 'agent')} work at the same time. At most ${maxTasks} tasks.` +
    checks
  )
}

const describeRefusal = ({ reason }: RefusedPlan): string =>
  `The plan is not valid: ${reason}\n\nReply with the whole corrected plan, as YAML alone.`
