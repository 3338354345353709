// The command `anode research compare`, which measures whether two commits differ in metrics such as their
// time, or prints earlier comparisons.
import { FailureError, UserError } from '../../../internal/base/errors.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import type {
  ComparisonOrder,
  ComparisonRecord,
  ComparisonVerdict,
} from '../../../internal/research/compare/comparison.ts'
import { comparisonLines, comparisonSummary } from '../../../internal/research/report/comparison-lines.ts'
import { findComparison, withComparisons } from '../../../internal/service/research/comparison-runtime.ts'
import { parseDuration } from '../../../internal/tui/duration.ts'
import { exitCodes } from '../exit-codes.ts'
import { writeText } from '../io/streams.ts'
import {
  type CommandArgs,
  type CommandIo,
  flagArg,
  listArg,
  numberArg,
  stringArg,
  type Verb,
} from '../verb.ts'
import { readMetricFlags, readShare } from './compare-flags.ts'
import { writeComparison } from './compare-output.ts'
import { openNarrator } from './progress-narrator.ts'
import { printValue, seedOption } from './session-access.ts'

export const compare: Verb = {
  name: 'research compare',
  summary: 'Measure two commits in turns and tell a real change from noise',
  usage: 'research compare [BASE] [HEAD] --cmd CMD [flags]',
  positionals: [
    { name: 'BASE', describe: 'Commit (default: where HEAD left the default branch), or `list` or `show`' },
    { name: 'HEAD', describe: 'Commit, or `.` for the working tree with untracked files (default)' },
  ],
  options: {
    cmd: { type: 'string', describe: 'Benchmark command, the same for both sides', value: 'CMD' },
    build: { type: 'string', describe: 'Runs once per side, untimed', value: 'CMD' },
    metric: {
      type: 'array',
      describe:
        'Metric that decides: cpu_ms (default), wall_ms, max_rss_kb, or of METRIC lines; repeat for several',
      value: 'NAME[:higher]',
    },
    format: {
      type: 'string',
      describe: 'Read the output of this tool; every benchmark is a metric',
      choices: ['go', 'criterion', 'pytest-benchmark', 'vitest', 'hyperfine', 'google-benchmark'],
    },
    results: {
      type: 'string',
      describe: 'Read this file that the command writes, not its output',
      value: 'PATH',
    },
    'bench-from': {
      type: 'string',
      describe: 'Where files come from that the command names: one side for both, or each side its own',
      choices: ['base', 'head', 'each'],
      default: 'base',
    },
    'min-effect': { type: 'string', describe: 'Least change that counts', default: '1%', value: 'P' },
    margin: { type: 'string', describe: 'Largest change that counts as the same', default: '2%', value: 'P' },
    budget: {
      type: 'string',
      describe: 'Time for all executions, without builds',
      default: '5m',
      value: 'D',
    },
    'fail-on': {
      type: 'string',
      describe: 'Outcomes that fail: loss (exit 1), undecided (3), gain (10); with commas, or none',
      default: 'loss',
      value: 'LIST',
    },
    carry: { type: 'array', describe: 'Ignored path that is copied into both checkouts', value: 'PATH' },
    env: { type: 'array', describe: 'Variable that the commands see', value: 'NAME' },
    isolate: {
      type: 'string',
      describe: 'Sandbox of the executions: if available, required, or off',
      choices: ['auto', 'require', 'off'],
    },
    seed: seedOption,
    markdown: { type: 'string', describe: 'Write a comment for a pull request', value: 'FILE' },
    svg: { type: 'string', describe: 'Write the changes as an image', value: 'FILE' },
    json: { type: 'boolean', describe: 'Print one JSON object' },
  },
  examples: [
    ['anode research compare --cmd "node bench.js"', 'The working tree against the default branch'],
    ['anode research compare HEAD~1 HEAD --cmd ./bench --build make', 'Two commits, each built once'],
    ['anode research compare list', 'Earlier comparisons of this workspace'],
  ],
  run: runCompare,
}

async function runCompare(args: CommandArgs, io: CommandIo): Promise<number> {
  const base = stringArg(args, 'BASE')
  const head = stringArg(args, 'HEAD')
  const note = (text: string) => void io.stderr.write(`note: ${sanitizeText(text)}\n`)
  const { cwd, env, signal } = io
  const narrator = openNarrator(args, io)
  const options = { cwd, env, signal, note, tell: narrator.tell }
  try {
    if (stringArg(args, 'cmd') === undefined && (base === 'list' || base === 'show'))
      return await withComparisons(options, async (comparisons) =>
        showStored(args, io, await comparisons.list(), head),
      )
    const failing = readFailOn(stringArg(args, 'fail-on') ?? 'loss')
    const order = orderOf(args, base, head)
    const record = await withComparisons(options, (comparisons) => comparisons.compare(order))
    narrator.done()
    await printValue(args, io, record, () => comparisonLines(record, io.stdout.columns))
    await writeComparison(record, (verdict) => failing.has(verdict), args, io)
    return failing.get(record.verdict) ?? exitCodes.done
  } catch (error) {
    narrator.done()
    if (!(error instanceof FailureError)) throw error
    return handleFailure(error, args, io)
  }
}

function orderOf(args: CommandArgs, base: string | undefined, head: string | undefined): ComparisonOrder {
  const command = stringArg(args, 'cmd')?.trim()
  if (!command)
    throw new UserError('--cmd is missing', { hint: 'anode research compare --cmd "node bench.js"' })
  const results = stringArg(args, 'results')
  if (results !== undefined && (results.startsWith('/') || results.split('/').includes('..')))
    throw new UserError(`--results "${results}" is outside of the checkout`, {
      hint: 'Let the command write a file below its working directory.',
    })
  return {
    base,
    head,
    command,
    build: stringArg(args, 'build'),
    metrics: readMetricFlags(listArg(args, 'metric')),
    format: stringArg(args, 'format') as ComparisonOrder['format'],
    results,
    benchFrom: (stringArg(args, 'bench-from') ?? 'base') as ComparisonOrder['benchFrom'],
    minEffect: readShare('min-effect', stringArg(args, 'min-effect') ?? '1%'),
    margin: readShare('margin', stringArg(args, 'margin') ?? '2%'),
    budgetMs: parseDuration(stringArg(args, 'budget') ?? '5m'),
    carry: listArg(args, 'carry'),
    env: listArg(args, 'env'),
    isolate: stringArg(args, 'isolate') as ComparisonOrder['isolate'],
    seed: numberArg(args, 'seed') ?? 1,
  }
}

const outcomeCodes = { loss: exitCodes.failed, undecided: exitCodes.limit, gain: 10 } as const

/**
 * Returns the exit codes for the outcomes that the flag lists; empty for `none`. Throws UserError for
 * an unknown outcome.
 */
function readFailOn(text: string): Map<ComparisonVerdict, number> {
  const words = text === 'none' ? [] : text.split(',').map((word) => word.trim())
  return new Map(
    words.map((word) => {
      if (!Object.hasOwn(outcomeCodes, word))
        throw new UserError(`--fail-on cannot be "${word}"`, { hint: 'loss, undecided, gain, or none' })
      const verdict = word as keyof typeof outcomeCodes
      return [verdict, outcomeCodes[verdict]]
    }),
  )
}

async function showStored(
  args: CommandArgs,
  io: CommandIo,
  records: readonly ComparisonRecord[],
  id: string | undefined,
): Promise<number> {
  if (stringArg(args, 'BASE') === 'list') {
    const lines = () =>
      records.length > 0
        ? records.map(comparisonSummary)
        : ['No comparisons here yet. Start one: anode research compare HEAD~1 HEAD --cmd COMMAND']
    await printValue(args, io, records, lines)
    return exitCodes.done
  }
  if (id === undefined)
    throw new UserError('the id is missing', { hint: 'List ids with: anode research compare list' })
  const record = findComparison(records, id)
  await printValue(args, io, record, () => comparisonLines(record, io.stdout.columns))
  await writeComparison(record, () => false, args, io)
  return exitCodes.done
}

/**
 * Returns the exit code of an interrupted comparison. For any other failure, throws a UserError with its exit
 * code; with --json, the failure is also printed as JSON.
 */
async function handleFailure({ failure }: FailureError, args: CommandArgs, io: CommandIo): Promise<number> {
  const { code, message, hint, detail } = failure
  if (code === 'interrupted' || code === 'cancelled') return exitCodes.interrupted
  if (flagArg(args, 'json'))
    await writeText(io.stdout, `${JSON.stringify({ ok: false, error: { code, message, hint, detail } })}\n`)
  const exit =
    code === 'lock_violation' ? exitCodes.unverified : code === 'busy' ? exitCodes.failed : exitCodes.usage
  // an error is one line, so the last output lines of a commit that cannot be measured are printed before it
  const { lines = '' } = (detail ?? {}) as { lines?: string }
  if (lines !== '') io.stderr.write(`${sanitizeText(lines, { keepLines: true })}\n`)
  throw new UserError(lines === '' ? message : (message.split('\n')[0] ?? message), { exit, hint })
}
