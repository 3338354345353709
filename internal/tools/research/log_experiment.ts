// The tool log_experiment: records the decision on the pending run, such as to keep or discard it.

import * as z from 'zod/mini'
import type { Ctx } from '../../tool/ctx.ts'
import type { ExperimentCapability, ExperimentLogged } from '../../tool/experiments.ts'
import { field } from '../../tool/field.ts'
import type { ToolResult } from '../../tool/result.ts'
import { defineTool } from '../../tool/tool.ts'
import about from './log_experiment.md'

export const logExperiment = defineTool({
  name: 'log_experiment',
  about,
  level: 'state_write',
  input: z.object({
    status: field(
      z.enum(['baseline', 'keep', 'discard', 'crash', 'checks_failed']),
      'baseline: the first run; crash: the benchmark failed; checks_failed: the checks failed',
    ),
    metric_value: field(
      z.optional(z.number()),
      'Value that replaces the measured one; it is marked and never counts as evidence',
    ),
    description: field(z.optional(z.string()), 'What the run changed'),
    commit_message: field(z.optional(z.string()), 'Subject of the commit that keep makes'),
    asi: field(
      z.optional(z.record(z.string(), z.unknown())),
      'More to record, such as hypothesis and lessons',
    ),
    restore: field(z._default(z.boolean(), true), 'false: leave the changes of a rejected run in place'),
  }),
  example: { status: 'keep', description: 'cache compiled patterns' },
  available: (ctx) => (ctx.can.research ? true : 'no experiments can be measured here'),
  async run(args, ctx: Ctx): Promise<ToolResult<ExperimentLogged>> {
    const logged = await (ctx.can.research as ExperimentCapability).log(
      {
        status: args.status,
        restore: args.restore,
        metricValue: args.metric_value,
        description: args.description,
        commitMessage: args.commit_message,
        asi: args.asi,
      },
      ctx.signal,
    )
    return { text: describeLoggedRun(logged), data: logged }
  },
})

function describeLoggedRun({ line, commit, restored, stopped, notes }: ExperimentLogged): string {
  const value = line.metric === undefined ? '' : `, ${line.metric}${line.overridden ? ' (not measured)' : ''}`
  const reason = line.reason === 'gain' ? 'improved' : line.reason
  const evidence = line.status === 'keep' && line.evidence === 'single_sample' ? ', on a single sample' : ''
  return [
    `run ${line.run} logged: ${line.status} (${reason})${value}${evidence}`,
    ...(commit === null ? [] : [`commit ${commit.slice(0, 12)}`]),
    ...(restored.length > 0 ? [`restored ${restored.slice(0, 20).join(', ')}`] : []),
    ...notes.map((note) => `note: ${note}`),
    stopped ? 'the session has reached its limit of runs' : 'next: change something, then run_experiment',
  ].join('\n')
}
