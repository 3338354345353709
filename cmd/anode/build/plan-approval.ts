// The decision about a plan that the planner has made: print it, or let the user approve it.
import { confirm } from '@clack/prompts'
import type { BuildPlan } from '../../../internal/build/plan.ts'
import { formatPlanFile, formatPlanLines } from '../../../internal/build/report/plan-text.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { writeText } from '../io/streams.ts'
import { type CommandArgs, type CommandIo, flagArg } from '../verb.ts'

/** Prints the plan and stops for `--plan-only`. On a terminal the user approves it, unless `--yes` is set. */
export async function decidePlan(
  plan: BuildPlan,
  args: CommandArgs,
  io: CommandIo,
): Promise<'start' | 'stop'> {
  if (flagArg(args, 'plan-only')) {
    await writeText(io.stdout, formatPlanFile(plan))
    return 'stop'
  }
  if (flagArg(args, 'yes') || !io.stdin.isTTY || !io.stderr.isTTY) return 'start'
  for (const line of formatPlanLines(plan)) io.stderr.write(`${sanitizeText(line)}\n`)
  const message = 'Start this build?'
  const prompt = { message, input: io.stdin, output: io.stderr.stream, signal: io.signal }
  if ((await confirm(prompt)) === true) return 'start'
  await writeText(io.stdout, formatPlanFile(plan))
  io.stderr.write('Nothing was started. To change the plan, save it and run: anode build --plan FILE\n')
  return 'stop'
}
