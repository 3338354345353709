// The text of a plan: as YAML for a file, and as lines for a user who approves it.
import { stringify } from 'yaml'
import { countNoun } from '../../base/text/count-noun.ts'
import type { BuildPlan, BuildTask } from '../plan.ts'

/** Returns the plan as YAML that `--plan` reads. Empty keys are left out. */
export function formatPlanFile({ goal, until, shared, tasks }: BuildPlan): string {
  return stringify(withoutEmpty({ goal, until, shared, tasks: tasks.map(orderKeys) }), { lineWidth: 110 })
}

const orderKeys = ({ id, do: text, run, scope, until, after, allow, worker }: BuildTask) =>
  withoutEmpty({ id, do: text, run, scope, until, after, allow, worker })

const withoutEmpty = (keys: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(keys).filter(
      ([, value]) => value !== undefined && (value as { length?: number }).length !== 0,
    ),
  )

/** Returns the lines of a plan for its approval: each task with its scope, order and checks. */
export function formatPlanLines({ until, shared, tasks }: BuildPlan): string[] {
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
  ]
}

const firstLine = (text: string) => text.split('\n', 1)[0] ?? ''
