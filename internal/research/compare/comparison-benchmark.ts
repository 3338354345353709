// The benchmark of a comparison: its files, which both sides share, and the values of one execution.
import { lstat, readFile, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { FailureError, UserError } from '../../base/errors.ts'
import { contentRulesHash } from '../git/git-state.ts'
import { compareTrees, type GitRepository, listTree, unpackTree } from '../git/git-tree.ts'
import type { OwnMeasurement } from '../judge/evidence.ts'
import type { ConfigLine } from '../ledger/ledger-entry.ts'
import { currentTimestamp } from '../ledger/ledger-file.ts'
import type { MeasurementCheckout } from '../measure/benchmark-checkout.ts'
import {
  type BenchmarkExecution,
  type ExecutionStage,
  runCommandOnce,
  tailText,
} from '../measure/benchmark-execution.ts'
import { maxReportBytes, toMetricLines } from '../measure/benchmark-formats.ts'
import type { BenchmarkFormat } from '../measure/benchmark-readers.ts'
import { type BuiltFiles, openBuiltFiles, toolVersions } from '../measure/built-files.ts'
import { currentHost } from '../measure/host-machine.ts'
import { MeasurementStopped } from '../measure/measurement-stopped.ts'
import { readMetrics } from '../measure/metric-lines.ts'
import { isOwnMetric } from '../measure/own-measurement.ts'
import type { LockedSession } from '../workspace/experiment-workspace.ts'
import { takeStrictFootprint } from '../workspace/folder-footprint.ts'
import { sealFiles, selectLockedFiles } from '../workspace/integrity-lock.ts'
import type { ComparisonOrder, ComparisonSide, MetricValues } from './comparison.ts'

type MeasuredOutcome = BenchmarkExecution['outcome'] & { own?: OwnMeasurement }

/** Time limit of a build in milliseconds. */
const buildMs = 1_800_000

/**
 * Seals the benchmark's files, which means that it stores copies that both sides use. These are the files
 * that the command names, except the file of its results, from the side that provides the benchmark; none if
 * each side has its own. Returns the header with which checkouts are opened, and the paths of the files,
 * relative to the workspace.
 */
export async function sealBenchmark(
  session: LockedSession,
  order: ComparisonOrder,
  sides: { base: ComparisonSide; head: ComparisonSide },
): Promise<{ config: ConfigLine; sealed: string[] }> {
  const repo = session.repo as GitRepository
  const { repository } = session.experiment.where
  const prefix = repository?.prefix ?? ''
  const root = join(session.dir, 'tmp', 'benchmark')
  await rm(root, { recursive: true, force: true })
  try {
    const tree = order.benchFrom === 'head' ? sides.head.tree : sides.base.tree
    const entries = order.benchFrom === 'each' ? [] : [...(await listTree(repo, tree))]
    const files = entries
      .filter(([path, { mode }]) => mode.startsWith('100') && path.startsWith(prefix))
      .map(([path]) => path.slice(prefix.length))
    if (files.length > 0) await unpackTree(repo, tree, root)
    const workspace = join(root, prefix)
    // A file to which the command redirects its output does not belong to the benchmark, so it is removed
    // from the command.
    const commands = [order.command.replace(/\d*>{1,2}\s*[^\s;&|]+/g, ' ')]
    const named = await selectLockedFiles({ files, scope: [], locked: [], commands, workspace })
    const sealed = named.filter((file) => file !== order.results)
    const lock = await sealFiles(session.dir, workspace, sealed, {
      command: order.command,
      build: order.build,
      git: repository && (await contentRulesHash(repo, repository)),
      env: [...order.env],
      interpreter: `node ${currentHost().node}`,
    })
    return { config: { ...headerOf(order), tree: sides.base.tree, lock }, sealed }
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

function headerOf(order: ComparisonOrder): ConfigLine {
  return {
    type: 'config',
    v: 1,
    segment: 0,
    name: 'compare',
    metricName: order.metrics[0]?.name ?? 'cpu_ms',
    bestDirection: order.metrics[0]?.direction ?? 'lower',
    command: order.command,
    build: order.build,
    scope: [],
    locked: [],
    maxRuns: 0,
    gate: { kind: 'paired', looks: [], alpha: 0.05, confirm: 0, maxPlausible: 1e9 },
    guards: [],
    timeoutMs: buildMs,
    checksTimeoutMs: buildMs,
    strictMetrics: false,
    isolate: order.isolate,
    carry: [...order.carry],
    env: [...order.env],
    seed: order.seed,
    lock: '',
    host: currentHost(),
    timestamp: currentTimestamp(),
  }
}

/**
 * Opens the store of the files that this build makes, which may still be empty. Returns undefined without
 * isolation: the build then sees the random path of its checkout, so its result may depend on more than
 * its source tree.
 */
export async function openStoredBuild(
  session: LockedSession,
  config: ConfigLine,
  tree: string,
  { env, isolated }: ExecutionStage,
): Promise<BuiltFiles | undefined> {
  const { build = '', lock, carry, host, env: names } = config
  if (!isolated) return undefined
  const { workspace } = session.experiment.where
  const carried = carry.map((path) => [path, ...takeStrictFootprint(join(workspace, path)).signs])
  const tools = await toolVersions(build, env.PATH ?? '')
  const parts = [tree, build, lock, host, names, env, carried, tools]
  return openBuiltFiles(join(session.dir, 'builds'), parts)
}

/**
 * Returns the files in which the two sides differ if both sides are measured with the same copy of each of
 * them (`sealed`). Returns undefined if any other file differs; an empty list without a difference. The
 * returned paths are relative to `prefix`.
 */
export async function findSharedChanges(
  repo: GitRepository,
  sides: { base: ComparisonSide; head: ComparisonSide },
  sealed: readonly string[],
  prefix: string,
): Promise<string[] | undefined> {
  const shared = new Set(sealed.map((path) => prefix + path))
  const changes = await compareTrees(repo, sides.base.tree, sides.head.tree)
  if (!changes.every(({ path }) => shared.has(path))) return undefined
  return changes.map(({ path }) => path.slice(prefix.length))
}

/** How to get the values of one execution. */
interface ObservationMethod {
  order: ComparisonOrder
  /** Longest duration of one execution in milliseconds. */
  timeoutMs: number
}

/**
 * Executes the command once. Returns what Anode measured, and the values that the benchmark printed or wrote,
 * by name. Throws FailureError `run_failed` with the side and its last lines, `lock_violation` for a
 * forbidden change, UserError (exit 130) after an interrupt, and MeasurementStopped if the checkout changed
 * since its last execution.
 */
export async function observeExecution(
  checkout: MeasurementCheckout,
  side: 'base' | 'head',
  { order, timeoutMs }: ObservationMethod,
): Promise<MetricValues> {
  const { format, results, command } = order
  const arm = side === 'base' ? 'base' : 'cand'
  const { value, violated } = await checkout.use(arm, async (stage) => {
    const written = results === undefined ? undefined : join(stage.cwd, results)
    // An old file in the tree must not count as the report of this execution.
    if (written !== undefined) await rm(written, { force: true })
    const executed = await runCommandOnce(stage, {
      command,
      timeoutMs,
      keepBytes: format ? maxReportBytes : undefined,
    })
    const report = written === undefined ? undefined : await readReportFile(stage.cwd, written)
    return { executed, report }
  })
  const { executed, report } = value
  if (violated !== undefined)
    throw new FailureError({ code: 'lock_violation', message: `${side} changed a sealed file: ${violated}` })
  if (executed.reason !== undefined) throw sideError(side, executed.reason, executed)
  if (results !== undefined && report === undefined)
    throw sideError(side, `the command did not write ${results}`, executed, resultsHint(results))
  const { own: ownMeasurement = {}, stdout, stderr } = executed.outcome as MeasuredOutcome
  const output = report ?? stdout.text
  const printed = format
    ? readPrinted(toMetricLines(format, output), '', order, side, executed)
    : readPrinted(output, report === undefined ? stderr.text : '', order, side, executed)
  const measured = Object.entries(ownMeasurement).filter(([, amount]) => amount !== undefined) as [
    string,
    number,
  ][]
  return { ...printed, ...Object.fromEntries(measured) }
}

function readPrinted(
  stdout: string,
  stderr: string,
  { metrics, format, results }: ComparisonOrder,
  side: 'base' | 'head',
  executed: BenchmarkExecution,
): MetricValues {
  const commandMetrics = metrics.filter(({ name }) => !isOwnMetric(name))
  const [, firstPrinted] = /^METRIC ([^=\s]+)=/m.exec(stdout) ?? []
  const primary = commandMetrics[0]?.name ?? (format === undefined ? undefined : firstPrinted)
  if (primary === undefined) {
    if (format === undefined) return {}
    const source = results ?? 'the output'
    throw sideError(side, `${source} has no benchmark of the format ${format}`, executed, formatHints[format])
  }
  const reading = readMetrics({ stdout, stderr }, { primary })
  if (!reading.ok) throw sideError(side, reading.detail, executed, metricHint(primary))
  const values: MetricValues = { [primary]: reading.value, ...reading.metrics }
  const missing = commandMetrics.find(({ name }) => values[name] === undefined)
  if (missing)
    throw sideError(side, `${missing.name} is missing in the output`, executed, metricHint(missing.name))
  return values
}

/**
 * Returns the text of the report if it is a regular file of at most 64 MiB inside the
 * checkout; otherwise undefined.
 */
async function readReportFile(cwd: string, path: string): Promise<string | undefined> {
  const fileStat = await lstat(path).catch(() => undefined)
  if (!fileStat?.isFile() || fileStat.size > maxReportBytes) return undefined
  const inside = `${await realpath(cwd)}/`
  return (await realpath(path)).startsWith(inside) ? readFile(path, 'utf8') : undefined
}

const shownLines = 12
const shownBytes = 2_048

const resultsHint = (results: string) =>
  `Let the command write it, for example: --cmd "node bench.js > ${results}" --results ${results}`

const metricHint = (name: string) => `Let the command print a line: echo "METRIC ${name}=120"`

/** Hints with an example of a command, by the format of its output. */
const formatHints: Readonly<Record<BenchmarkFormat, string>> = {
  go: 'For example: --cmd "go test -bench ." --format go',
  criterion: 'For example: --cmd "cargo bench" --format criterion',
  'pytest-benchmark':
    'For example: --cmd "pytest --benchmark-json=out.json" --format pytest-benchmark --results out.json',
  vitest:
    'For example: --cmd "npx vitest bench --run --outputJson out.json" --format vitest --results out.json',
  hyperfine:
    'For example: --cmd "hyperfine --export-json out.json ./run" --format hyperfine --results out.json',
  'google-benchmark': 'For example: --cmd "./bench --benchmark_format=json" --format google-benchmark',
}

/**
 * Returns the error for a side that cannot be measured: FailureError `run_failed`, or for the reason
 * `interrupted` a UserError with exit 130. The default `hint` names what the checkout may be missing.
 */
export function sideError(
  side: 'base' | 'head',
  reason: string,
  executed?: BenchmarkExecution,
  hint = side === 'base'
    ? 'If BASE lacks the benchmark, use --bench-from head. Ignored files: --carry PATH'
    : 'Run the command in a fresh checkout of this side. Ignored files: --carry PATH',
): Error {
  if (reason === 'interrupted') return new UserError('interrupted', { exit: 130 })
  const lines = executed ? tailText(executed.outcome.combined.text, shownLines, shownBytes) : ''
  const text = lines === '' ? '' : `\n${lines}`
  return new FailureError({
    code: 'run_failed',
    message: `${side} cannot be measured: ${reason}${text}`,
    hint,
    detail: { side, reason, lines },
  })
}

/** Returns a hint with the command that runs the build of a side by hand. */
function buildHint({ name }: ComparisonSide, build = ''): string {
  const command = name === '.' ? build : `git worktree add ../built ${name} && cd ../built && ${build}`
  return `Run the build by hand: ${command}. Ignored files: --carry PATH`
}

/** Runs `work`. If a build fails or a checkout is broken, the error says on which side. */
export async function withSideErrors<T>(
  sides: { base: ComparisonSide; head: ComparisonSide },
  build: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof MeasurementStopped)) throw error
    const { arm, reason, detail = '', executed } = error.failed
    const side = arm === 'base' ? 'base' : 'head'
    if (reason === 'lock_violation')
      throw new FailureError({ code: 'lock_violation', message: `${side}: ${detail}` })
    if (reason !== 'build') throw sideError(side, reason, executed)
    const why = `its build failed (${detail.split(':')[0]})`
    throw sideError(side, why, executed, buildHint(sides[side], build))
  }
}
