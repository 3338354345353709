// The tool init_experiment: starts a session of measured experiments.

import * as z from 'zod/mini'
import { describeJudgment } from '../../base/text/judgment-text.ts'
import type { Ctx } from '../../tool/ctx.ts'
import type { ExperimentCapability, ExperimentStarted } from '../../tool/experiments.ts'
import { field, optionalNumber, optionalText, optionalTexts } from '../../tool/field.ts'
import type { ToolResult } from '../../tool/result.ts'
import { defineTool } from '../../tool/tool.ts'
import about from './init_experiment.md'

const input = z.object({
  name: field(z.string().check(z.minLength(1)), 'Label of the series of experiments'),
  objective: field(optionalText(), 'What should improve'),
  primary_metric: field(z.string().check(z.minLength(1)), 'Name of the metric that decides, such as cpu_ms'),
  unit: field(optionalText(), 'Unit for display'),
  direction: field(z.enum(['lower', 'higher']), 'Which values are better'),
  command: field(optionalText(), 'Benchmark; default: .auto/measure.sh'),
  scope: field(optionalTexts(), 'Files that may change, as paths or globs'),
  max_runs: field(z._default(z.int().check(z.minimum(0)), 0), 'Most runs; 0 sets no limit'),
  reset: field(z._default(z.boolean(), false), 'true: replace an active session'),
  gate: field(
    z.optional(z.enum(['plain', 'paired'])),
    'plain: you decide; paired: best and candidate are measured in turn',
    { offer: 'never' },
  ),
  checks: field(optionalText(), 'Command that must pass after measuring'),
  build: field(optionalText(), 'Command that builds each tree once before it is measured'),
  guards: field(optionalTexts(), 'Bounds such as rss_mb<=512, or binary_kb<=1.02x (of the baseline)'),
  measure_files: field(
    optionalTexts(),
    'Files whose sizes in bytes are metrics: PATH for primary_metric, METRIC=PATH for another',
  ),
  lock: field(optionalTexts(), 'Globs of files that must not change'),
  min_effect: field(z.optional(z.number()), 'Smallest gain that counts; 0.01 is one percent'),
  timeout_ms: field(optionalNumber(), 'Milliseconds for one measurement; default 600000'),
  checks_timeout_ms: field(optionalNumber(), 'Milliseconds for the checks; default 300000'),
  strict_metrics: field(
    z.optional(z.boolean()),
    'true: METRIC lines count only on descriptor 3, or as METRIC@$ANODE_METRIC_NONCE',
    { offer: 'never' },
  ),
  // The holdout command is not offered to models, because a command that the model itself chooses
  // is not secret.
  holdout: field(
    optionalText(),
    'Secret command that must pass before a keep; $ANODE_CANDIDATE names the tree',
    {
      offer: 'never',
    },
  ),
})
type ExperimentArgs = z.output<typeof input>

export const initExperiment = defineTool({
  name: 'init_experiment',
  about,
  level: 'confirm_write',
  input,
  example: {
    name: 'parse-speed',
    primary_metric: 'cpu_ms',
    direction: 'lower',
    command: 'node bench/parse.js',
    max_runs: 10,
  },
  // The approval of this call covers all later runs of its commands, so they are judged here.
  access: ({ command, build, checks, holdout }) => ({
    scope: [command, build, checks, holdout].flatMap((line) =>
      line?.trim() ? [{ kind: 'command' as const, line }] : [],
    ),
  }),
  available: (ctx) => (ctx.can.research ? true : 'no experiments can be measured here'),
  async run(args, ctx: Ctx): Promise<ToolResult<ExperimentStarted>> {
    const started = await (ctx.can.research as ExperimentCapability).init(
      settingsOf(args),
      ctx.signal,
      ctx.policy,
    )
    return { text: describeStart(started, args), data: started }
  },
})

function settingsOf(args: ExperimentArgs) {
  const { guards = [], min_effect, holdout } = args
  // Guards, a minimal effect and a holdout command need measurements in pairs, so each of them makes `paired`
  // the default of `gate`.
  const implied = guards.length > 0 || min_effect !== undefined || holdout !== undefined
  return {
    name: args.name,
    metric: args.primary_metric,
    direction: args.direction,
    maxRuns: args.max_runs,
    reset: args.reset,
    gate: args.gate ?? (implied ? ('paired' as const) : ('plain' as const)),
    objective: args.objective,
    unit: args.unit,
    command: args.command,
    scope: args.scope,
    checks: args.checks,
    build: args.build,
    guards: args.guards,
    measureFiles: args.measure_files,
    lock: args.lock,
    minEffect: min_effect,
    timeoutMs: args.timeout_ms,
    checksTimeoutMs: args.checks_timeout_ms,
    strictMetrics: args.strict_metrics,
    holdout,
  }
}

function describeStart(
  { name, segment, gate, command, nullTest, notes }: ExperimentStarted,
  args: ExperimentArgs,
): string {
  const noise = nullTest && nullTest !== 'skipped' ? [`noise floor ${nullTest.floor_pct.toFixed(1)} %`] : []
  const metric = `${args.primary_metric}, ${args.direction} is better`
  return [
    `session ${name}: ${metric}, judged by ${describeJudgment({ gate, segment })}`,
    command === undefined ? 'no command yet: give one to run_experiment' : `command ${command}`,
    ...noise,
    ...notes.map((note) => `note: ${note}`),
    'next: run_experiment measures the baseline; log it with log_experiment',
  ].join('\n')
}
