// The tool run_experiment: measures a change once, or in pairs with the unchanged version, and leaves the
// result for the tool log_experiment.

import * as z from 'zod/mini'
import { countNoun } from '../../base/text/count-noun.ts'
import type { Ctx } from '../../tool/ctx.ts'
import type { ExperimentCapability, MeasuredExperiment } from '../../tool/experiments.ts'
import { field, optionalNumber } from '../../tool/field.ts'
import type { ToolResult } from '../../tool/result.ts'
import { defineTool } from '../../tool/tool.ts'
import about from './run_experiment.md'

export const runExperiment = defineTool({
  name: 'run_experiment',
  about,
  level: 'state_write',
  input: z.object({
    command: field(z.optional(z.string()), 'Benchmark for this run; the first one becomes the default'),
    timeout_ms: field(optionalNumber(), 'Milliseconds for one execution; default: as configured'),
    checks_timeout_ms: field(optionalNumber(), 'Milliseconds for the checks; default: as configured'),
    candidate: field(z.optional(z.string()), 'Worktree to measure; default: the workspace'),
    description: field(z.optional(z.string()), 'What this run tries'),
    seed: field(z.optional(z.int().check(z.minimum(0))), 'Seed of the order of pairs'),
  }),
  example: { description: 'cache compiled patterns' },
  // The call of init_experiment approved the configured command, but not another command.
  access: ({ command }) =>
    command?.trim() ? { level: 'confirm_execute', scope: [{ kind: 'command', line: command }] } : {},
  effect: () => 'exec',
  available: (ctx) => (ctx.can.research ? true : 'no experiments can be measured here'),
  async run(args, ctx: Ctx): Promise<ToolResult<MeasuredExperiment>> {
    const order = {
      command: args.command,
      timeoutMs: args.timeout_ms,
      checksTimeoutMs: args.checks_timeout_ms,
      candidate: args.candidate,
      description: args.description,
      seed: args.seed,
    }
    const ran = await (ctx.can.research as ExperimentCapability).run(order, ctx.signal, ctx.policy)
    return { text: describeRun(ran), data: ran }
  },
})

function describeRun(ran: MeasuredExperiment): string {
  const { run, status, reason, metricName, unit, metric, metrics, detail, checksOutput } = ran
  const why = reason === 'gain' ? 'improved' : reason
  const others = Object.entries(metrics).map(([name, value]) => `${name} ${value}`)
  const failed = metric === undefined || ran.checks === 'failed' || ran.checks === 'timeout'
  return [
    `run ${run}: ${metric === undefined ? 'no value' : `${metricName} ${metric}${unit ?? ''}`}`,
    ...(others.length > 0 ? [others.join(', ')] : []),
    ...describeComparison(ran),
    ...ran.guards.map(
      ({ metric: name, ok, ratio }) => `guard ${name} ${ratio.toFixed(3)}x ${ok ? 'ok' : 'failed'}`,
    ),
    ...(ran.checks === undefined ? [] : [`checks ${ran.checks}`]),
    ...(ran.changed.length > 0 ? [`changed ${ran.changed.slice(0, 20).join(', ')}`] : []),
    ...ran.notes.map((note) => `note: ${note}`),
    ...(failed && ran.output !== '' ? ['--- output', ran.output] : []),
    ...(failed && checksOutput ? ['--- checks', checksOutput] : []),
    `verdict ${status} (${why}${detail === undefined ? '' : `: ${detail}`})`,
    describeNextStep(ran),
  ].join('\n')
}

function describeComparison({ effect, noise, advice }: MeasuredExperiment): string[] {
  const lines: string[] = []
  if (effect) {
    const formatChange = (value: number) =>
      `${value > 0 ? '+' : ''}${value.toFixed(1)}${effect.unit === 'absolute' ? '' : '%'}`
    const [low, high] = effect.ci
    const range = `${formatChange(effect.pct)} [${formatChange(low)}, ${formatChange(high)}]`
    const confirmed = effect.confirmed ? ', confirmed' : ''
    lines.push(`${range}, p ${effect.p.toPrecision(2)}, ${countNoun(effect.pairs, 'pair')}${confirmed}`)
  }
  if (noise) lines.push(`noise floor ${noise.floor_pct.toFixed(1)}%`)
  if (advice !== undefined)
    lines.push(`against best: ${advice.replaceAll('_', ' ')}; a single sample proves nothing`)
  return lines
}

function describeNextStep({ status, gate }: MeasuredExperiment): string {
  const choice = gate === 'plain' && (status === 'keep' || status === 'discard') ? 'keep or discard' : status
  return `next: log_experiment with status ${choice}`
}
