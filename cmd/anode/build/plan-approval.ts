// The decision about a plan that the planner has made, which is printed, or approved or edited by the user.
import { selectKey } from '@clack/prompts'
import { UserError } from '../../../internal/base/errors.ts'
import type { BuildPlan } from '../../../internal/build/plan.ts'
import { formatPlanFile, formatPlanLines } from '../../../internal/build/report/plan-text.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import type { PlanTools } from '../../../internal/service/build/build-leader.ts'
import { editOutside } from '../../../internal/service/desktop/outside-text.ts'
import { writeText } from '../io/streams.ts'
import { type CommandArgs, type CommandIo, flagArg } from '../verb.ts'

/** A plan, and its text if the user has edited it. An edited text that is not valid has no plan. */
interface ShownPlan {
  plan: BuildPlan | undefined
  text?: string
}

/**
 * Returns the plan to start: the given one with `--yes` or without a terminal, otherwise the one that the
 * user approves, possibly edited. With `--plan-only` or if the user declines, prints the plan, with the last
 * edit of the user, and returns undefined.
 */
export async function decidePlan(
  plan: BuildPlan,
  tools: PlanTools,
  args: CommandArgs,
  io: CommandIo,
): Promise<BuildPlan | undefined> {
  if (flagArg(args, 'plan-only')) {
    await writeText(io.stdout, formatPlanFile(plan, await tools.estimate(plan)))
    return undefined
  }
  if (flagArg(args, 'yes') || !io.stdin.isTTY || !io.stderr.isTTY) return plan
  let currentPlan: ShownPlan = { plan }
  await showPlan(plan, tools, io)
  for (;;) {
    const answer = await askUser(currentPlan.plan !== undefined, io)
    if (answer === 'y' && currentPlan.plan) return currentPlan.plan
    if (answer !== 'e') break
    currentPlan = await editPlan(currentPlan, currentPlan.text ?? formatPlanFile(plan), tools, io)
  }
  await writeText(io.stdout, currentPlan.text === undefined ? formatPlanFile(plan) : `${currentPlan.text}\n`)
  io.stderr.write('Nothing was started. To change the plan, save it and run: anode build --plan FILE\n')
  return undefined
}

async function showPlan(plan: BuildPlan, { estimate }: PlanTools, io: CommandIo): Promise<void> {
  for (const line of formatPlanLines(plan, await estimate(plan))) io.stderr.write(`${sanitizeText(line)}\n`)
}

async function askUser(isValid: boolean, io: CommandIo): Promise<unknown> {
  const edit = { value: 'e', label: 'Edit the plan' }
  const stop = { value: 'n', label: 'Stop' }
  return selectKey({
    message: isValid ? 'Start this build?' : 'The plan is not valid. Edit it again?',
    options: isValid ? [{ value: 'y', label: 'Start it' }, edit, stop] : [edit, stop],
    input: io.stdin,
    output: io.stderr.stream,
    signal: io.signal,
  })
}

/**
 * Opens the text of a plan in the user's editor and checks the result. The text of an invalid plan stays for
 * the next edit. If the editor is missing or fails, returns `before`.
 */
async function editPlan(
  before: ShownPlan,
  text: string,
  tools: PlanTools,
  io: CommandIo,
): Promise<ShownPlan> {
  let edited: string | undefined
  try {
    edited = await editOutside(io.env, text, 'plan.yaml')
    if (edited === undefined) {
      io.stderr.write('The editor failed. The plan is unchanged.\n')
      return before
    }
    const plan = await tools.check(edited)
    await showPlan(plan, tools, io)
    return { plan, text: edited }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const { message, hint } = error
    io.stderr.write(`${sanitizeText([message, hint].filter((one) => one).join('; '))}\n`)
    return edited === undefined ? before : { plan: undefined, text: edited }
  }
}
