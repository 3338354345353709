// The command `anode research init`, which begins a session, or with --reset a new segment of it: a part with
// new settings and a new baseline.

import { UserError } from '../../../internal/base/errors.ts'
import { countNoun } from '../../../internal/base/text/count-noun.ts'
import { describeJudgment } from '../../../internal/base/text/judgment-text.ts'
import type { StartedSession } from '../../../internal/research/session.ts'
import type { SessionSettings } from '../../../internal/research/settings.ts'
import { withWorkspaceSettings } from '../../../internal/service/research/experiment-runtime.ts'
import { parseDuration } from '../../../internal/tui/duration.ts'
import {
  type CommandArgs,
  type CommandIo,
  type CommandOption,
  flagArg,
  listArg,
  numberArg,
  stringArg,
  type Verb,
} from '../verb.ts'
import { openNarrator } from './progress-narrator.ts'
import { printValue, seedOption, sessionOptions, withResearch } from './session-access.ts'

const declareText = (describe: string, value: string): CommandOption => ({ type: 'string', describe, value })
const declareList = (describe: string, value: string): CommandOption => ({ type: 'array', describe, value })

export const init: Verb = {
  name: 'research init',
  summary: 'Begin a session: what is measured, what may change, what must hold',
  usage: 'research init --name N --metric M --direction lower|higher --cmd C [flags]',
  options: {
    name: declareText('Short name of the session', 'N'),
    metric: declareText('Primary metric, as in METRIC name=value', 'M'),
    direction: { type: 'string', describe: 'Which values are better', choices: ['lower', 'higher'] },
    cmd: declareText('Benchmark command', 'C'),
    unit: declareText('Unit of the metric, for display', 'U'),
    objective: declareText('What should improve, in a sentence', 'T'),
    scope: declareList('Files, folders or globs that may change', 'GLOB'),
    lock: declareList('Files that may not change', 'GLOB'),
    build: declareText('Runs once per tree, untimed', 'C'),
    checks: declareText('Must exit with 0 for a candidate to be kept', 'C'),
    guard: declareList('Limit of another metric: binary_kb<=1.02x, rss_mb<=512', 'EXPR'),
    'measure-file': declareList(
      'Measure the size of this file after each run, as the primary metric or as NAME',
      '[NAME=]PATH',
    ),
    holdout: declareText('Second check, kept out of every worktree; only pass or fail comes back', 'C'),
    gate: {
      type: 'string',
      describe: 'Decide by paired measurements and statistics, or by one execution (default paired)',
      choices: ['paired', 'plain'],
    },
    'min-effect': declareText('Least improvement worth keeping (default 1%)', 'P'),
    'max-plausible': declareText('An improvement beyond this factor is not believed (default 10x)', 'F'),
    'max-runs': {
      type: 'number',
      describe: 'Stop the session after this many runs; 0: no limit',
      value: 'N',
    },
    timeout: declareText('Stop one execution after this time (default 600s)', 'D'),
    'checks-timeout': declareText('Stop the checks after this time (default 300s)', 'D'),
    looks: declareText('Numbers of pairs after which it may be decided (default 8,16,32)', 'N,N,…'),
    confirm: {
      type: 'number',
      describe: 'Fresh pairs that must repeat an improvement; 0: none (default 10)',
      value: 'N',
    },
    carry: declareList('Ignored path that is copied into every checkout, for example node_modules', 'PATH'),
    isolate: {
      type: 'string',
      describe:
        'Private folder for temporary files of executions: where the machine allows it, always, ' +
        'or never (default auto)',
      choices: ['auto', 'require', 'off'],
    },
    env: declareList('Variable that the benchmark sees', 'NAME'),
    format: {
      type: 'string',
      describe: 'Read the output of this tool in the place of METRIC lines, in nanoseconds',
      choices: ['go', 'criterion', 'pytest-benchmark', 'vitest', 'hyperfine', 'google-benchmark'],
    },
    'strict-metrics': {
      type: 'boolean',
      describe: 'Count METRIC lines only with the nonce or on descriptor 3',
    },
    reset: {
      type: 'boolean',
      describe: 'Begin anew although a session is active; the old runs stay in the ledger',
    },
    'skip-null-test': { type: 'boolean', describe: 'Do not measure the baseline against itself first' },
    seed: seedOption,
    ...sessionOptions,
  },
  examples: [
    [
      'anode research init --name sort --metric cpu_ms --direction lower --cmd ./bench.sh --scope src ' +
        '--checks "make test"',
      'Everything else stays as it is by default; .auto/config.json gives values that no flag gives',
    ],
  ],
  run: beginSession,
}

async function beginSession(args: CommandArgs, io: CommandIo): Promise<number> {
  const flagSettings = readSettings(args)
  const merged = withWorkspaceSettings(io.cwd, flagSettings)
  const { name, metric, direction } = merged
  if (name === undefined || metric === undefined || direction === undefined) {
    const missing = Object.entries({ name, metric, direction }).flatMap(([key, value]) =>
      value === undefined ? [`--${key}`] : [],
    )
    throw new UserError(`${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`, {
      hint: `usage: anode ${init.usage}`,
    })
  }
  const narrator = openNarrator(args, io, { steps: true })
  const all: SessionSettings = { ...merged, name, metric, direction }
  return withResearch(
    args,
    io,
    async ({ research }) => {
      const started = await research.init(all)
      narrator.done()
      await printValue(args, io, started, () => [...startedLines(started), 'next: anode research run'])
      return 0
    },
    narrator.tell,
  ).finally(narrator.done)
}

export function startedLines(started: StartedSession): string[] {
  const { name, segment, gate, nullTest, dirty, notes, branch } = started
  const where = branch === undefined ? '' : `  on ${branch}`
  return [
    `${name}  judged by ${describeJudgment({ gate, segment })}${where}`,
    ...(nullTest === undefined || nullTest === 'skipped'
      ? []
      : [
          `null test passed  ${countNoun(nullTest.pairs, 'pair')}  floor ${nullTest.floor_pct.toFixed(1)}%`,
          '  the baseline was measured against itself and won nothing; the floor is how far its values ' +
            'spread by chance',
        ]),
    ...(dirty.length > 0 ? [`not committed, part of the baseline: ${dirty.join(', ')}`] : []),
    ...notes.map((note) => `note: ${note}`),
  ]
}

function readSettings(args: CommandArgs): Partial<SessionSettings> {
  const minEffect = stringArg(args, 'min-effect')
  const maxPlausible = stringArg(args, 'max-plausible')
  const timeout = stringArg(args, 'timeout')
  const checksTimeout = stringArg(args, 'checks-timeout')
  const many = (name: string) => (args[name] === undefined ? undefined : listArg(args, name))
  return {
    name: stringArg(args, 'name'),
    metric: stringArg(args, 'metric'),
    direction: stringArg(args, 'direction'),
    command: stringArg(args, 'cmd'),
    unit: stringArg(args, 'unit'),
    objective: stringArg(args, 'objective'),
    build: stringArg(args, 'build'),
    checks: stringArg(args, 'checks'),
    holdout: stringArg(args, 'holdout'),
    scope: many('scope'),
    lock: many('lock'),
    guards: many('guard'),
    measureFiles: many('measure-file'),
    carry: many('carry'),
    env: many('env'),
    gate: stringArg(args, 'gate') as SessionSettings['gate'] | undefined,
    isolate: stringArg(args, 'isolate') as SessionSettings['isolate'] | undefined,
    maxRuns: numberArg(args, 'max-runs'),
    confirm: numberArg(args, 'confirm'),
    seed: numberArg(args, 'seed'),
    format: stringArg(args, 'format'),
    minEffect: minEffect === undefined ? undefined : parseShare(minEffect),
    maxPlausible: maxPlausible === undefined ? undefined : parseFactor(maxPlausible),
    timeoutMs: timeout === undefined ? undefined : parseDuration(timeout),
    checksTimeoutMs: checksTimeout === undefined ? undefined : parseDuration(checksTimeout),
    looks: stringArg(args, 'looks')?.split(',').map(Number),
    strictMetrics: flagArg(args, 'strict-metrics') ? true : undefined,
    reset: flagArg(args, 'reset') ? true : undefined,
    skipNullTest: flagArg(args, 'skip-null-test') ? true : undefined,
  }
}

/**
 * Parses a share below 1, such as `1%` or `0.01`. Throws UserError for any other text, also for 100 % and
 * more: `2` means 2 % in a comparison, so it would be misread.
 */
function parseShare(text: string): number {
  const [, digits, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text.trim()) ?? []
  const value = digits === undefined ? Number.NaN : Number(digits) / (percent ? 100 : 1)
  if (value >= 0 && value < 1) return value
  throw new UserError(`--min-effect ${text} is not a share`, { hint: 'write it as 2% or 0.02' })
}

/**
 * Parses a number with or without `x` at its end, such as `10x`. Throws UserError for a text that is not
 * a number above 0.
 */
function parseFactor(text: string): number {
  const value = Number(/^(\d+(?:\.\d+)?)x?$/.exec(text.trim())?.[1] ?? 0)
  if (value > 0 && Number.isFinite(value)) return value
  throw new UserError(`--max-plausible ${text} is not a factor`, { hint: 'write it as 10x' })
}
