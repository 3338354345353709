// The text of a plan: as YAML for a file, and as lines for a user who approves it.
import { stringify } from 'yaml'
import { countNoun, groupDigits } from '../../base/text/count-noun.ts'
import type { BuildPlan, BuildTask } from '../plan.ts'
import type { PlanCost } from '../plan-cost.ts'

/** Returns the plan as YAML that `--plan` reads, with the cost as a comment. Empty keys are left out. */
export function formatPlanFile({ goal, until, shared, tasks }: BuildPlan, cost?: PlanCost): string {
  const head = cost ? `# estimated cost: ${describePlanCost(cost)}\n` : ''
  return (
    head + stringify(withoutEmpty({ goal, until, shared, tasks: tasks.map(orderKeys) }), { lineWidth: 110 })
  )
}

const orderKeys = ({ id, do: text, run, scope, until, after, allow, worker }: BuildTask) =>
  withoutEmpty({ id, do: text, run, scope, until, after, allow, worker })

const withoutEmpty = (keys: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(keys).filter(
      ([, value]) => value !== undefined && (value as { length?: number }).length !== 0,
    ),
  )

/**
 * Returns the lines of a plan for its approval: each task with its scope, order and checks, then the shared
 * files, the checks after each merge, and the cost.
 */
export function formatPlanLines({ until, shared, tasks }: BuildPlan, cost: PlanCost): string[] {
  const rows = tasks.flatMap((task) => [
    `${task.id}  ${task.run === undefined ? firstLine(task.do ?? '') : `$ ${task.run}`}`,
    `  scope  ${task.scope.join(', ')}`,
    ...(task.after.length > 0 ? [`  after  ${task.after.join(', ')}`] : []),
    ...(task.until.length > 0 ? [`  check  ${task.until.join(' && ')}`] : []),
  ])
  return [
    `plan  ${countNoun(tasks.length, 'task')}`,
    ...rows,
    ...(shared.length > 0 ? [`shared  ${shared.join(', ')}`] : []),
    ...(until.length > 0 ? [`check after each merge  ${until.join(' && ')}`] : []),
    `estimated cost  ${describePlanCost(cost)}`,
  ]
}

/** Returns dollars and tokens, or the reason why a part of the cost is unknown or zero. */
function describePlanCost({ agents, programs, tokens, usd }: PlanCost): string {
  if (agents + programs === 0) return '$0, because every task is a command'
  const price = usd === null ? 'price unknown' : `$${usd.toFixed(2)}`
  const agentParts = [`${price} for ${countNoun(agents, 'agent')}`, `${groupDigits(tokens)} tokens`]
  const others = `unknown for ${countNoun(programs, 'agent of another program', 'agents of other programs')}`
  return [...(agents > 0 ? agentParts : []), ...(programs > 0 ? [others] : [])].join(', ')
}

const firstLine = (text: string) => text.split('\n', 1)[0] ?? ''
