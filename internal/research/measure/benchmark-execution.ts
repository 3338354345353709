// One execution of a benchmark, a build or a check. A benchmark gives a sample, or the reason why it
// has no value.
import { randomBytes } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { FailureError } from '../../base/errors.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import type {
  CapturedOutput,
  CommandOutcome,
  ProcessCommand,
  RunCommand,
} from '../../process/process-command.ts'
import type { MetricSample, OwnMeasurement } from '../judge/evidence.ts'
import type { RunReason } from '../ledger/experiment-run.ts'
import { maxReportBytes, toMetricLines } from './benchmark-formats.ts'
import type { BenchmarkFormat } from './benchmark-readers.ts'
import type { BuildCache } from './build-cache.ts'
import { summarizeErrors } from './error-lines.ts'
import { type MeasuredFile, measureFileSizes } from './file-size.ts'
import {
  isolatedWords,
  measuredSandbox,
  prepareIsolation,
  readReport,
  sandboxedWords,
} from './isolation/isolation.ts'
import type { IsolatedPlaces } from './isolation/isolation-mounts.ts'
import { sessionKeyringWords } from './isolation/session-keyring.ts'
import { readMetrics } from './metric-lines.ts'

/** Directory, environment and isolation in which the commands of one run are executed. */
export interface ExecutionStage {
  run: RunCommand
  cwd: string
  /**
   * Environment variables of the child process, to which an execution may add. HOME and TMPDIR are replaced
   * if `fresh` is set.
   */
  env: Readonly<Record<string, string>>
  /** Directory in which each execution gets a new HOME and TMPDIR. Default: those of `env` are used. */
  fresh?: string
  /**
   * Set if executions are isolated: everything on the machine except the checkout is then read-only or new.
   */
  isolated?: IsolatedPlaces
  /** True if the process runner adds a sandbox to the isolation. */
  sandboxed?: boolean
  /** Path of `cwd` as the commands see it, if it differs. */
  shown?: string
  /**
   * Processors on which commands run, as a list for `taskset`, even if this process itself may use other
   * processors. Default: the processors of this process.
   */
  cpus?: string
  /** Receives lines about files that permission rules hide from the command in its sandbox. */
  closed?: Set<string>
  /** Sizes of measured files that the candidate itself contains, by path. */
  provided?: ReadonlyMap<string, number>
  /** Returns the output of a command without secrets. */
  redact?: (text: string) => string
  signal: AbortSignal
}

export interface BenchmarkExecution {
  /** Reason for the failure of the execution; undefined if it succeeded. */
  reason?: RunReason
  detail?: string
  sample?: MetricSample
  /** METRIC lines of the output that could not be used. */
  refused: string[]
  ms: number
  leaked: number
  /** How the command ended. Secrets are removed from its texts, so they can be shown. */
  outcome: CommandOutcome
}

/** Returns the environment of measured commands: PATH and the listed names, in a fixed locale. */
export function bareEnvironment(env: EnvironmentVariables, names: readonly string[]): Record<string, string> {
  const out: Record<string, string> = { LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' }
  for (const name of ['PATH', ...names]) {
    const value = env[name]
    if (value !== undefined) out[name] = value
  }
  return out
}

interface CommandTask {
  command: string
  timeoutMs: number
  /** Largest number of bytes of output that are read. Default: the limit of the process runner. */
  keepBytes?: number
}

interface SamplingRules {
  primary: string
  strict: boolean
  expected?: readonly string[]
  mark?: string
  format?: BenchmarkFormat
  /** Files whose sizes are metrics of the benchmark. */
  files?: readonly MeasuredFile[]
}

/**
 * Executes a benchmark. An error of the command is a result, not an exception. Rejects with FailureError
 * `unavailable` if the command ran without a sandbox that it should have had.
 */
export async function runBenchmark(
  stage: ExecutionStage,
  task: CommandTask & SamplingRules,
): Promise<BenchmarkExecution> {
  const nonce = task.strict ? randomBytes(12).toString('hex') : undefined
  return withFreshHome(stage, async (extra, folder) => {
    const redact = stage.redact ?? asIs
    const channel = join(folder, 'metrics')
    const strict = nonce === undefined ? undefined : { channel, nonce }
    const keepBytes = task.format && maxReportBytes
    const outcome = await startCommand(
      stage,
      { ...task, keepBytes: keepBytes ?? task.keepBytes },
      extra,
      folder,
      strict,
    )
    const redactedOutcome = redactOutcome(outcome, stage.redact)
    const failure = failureOf(redactedOutcome)
    const base = { ms: outcome.ms, leaked: outcome.leaked, outcome: redactedOutcome, refused: [] as string[] }
    if (failure) return { ...base, ...failure }
    const measured = task.files && measureFileSizes(stage.cwd, task.files, stage.provided)
    if (measured && 'fault' in measured)
      return { ...base, reason: 'no_metric', detail: redact(measured.fault) }
    const fd3 = strict ? await readFile(channel, 'utf8').catch(() => '') : undefined
    const streams = {
      stdout: task.format ? toMetricLines(task.format, outcome.stdout.text) : outcome.stdout.text,
      stderr: task.format ? '' : outcome.stderr.text,
      fd3,
    }
    const reading = readMetrics(streams, {
      primary: task.primary,
      nonce,
      expected: task.expected,
      mark: task.mark,
      measured: measured?.sizes,
    })
    if (!reading.ok) return { ...base, reason: reading.reason, detail: redact(reading.detail) }
    return {
      ...base,
      refused: reading.refused.map(redact),
      sample: { value: reading.value, metrics: reading.metrics, own: outcome.own },
    }
  })
}

/**
 * Executes a command without a search for metrics in its output: a build, checks, a holdout, or a side of a
 * comparison. `cache` is the build cache.
 */
export async function runCommandOnce(
  stage: ExecutionStage,
  task: CommandTask,
  cache?: BuildCache,
): Promise<BenchmarkExecution> {
  return withFreshHome(stage, async (extra, folder) => {
    await cache?.place(folder)
    const outcome = redactOutcome(
      await startCommand(stage, task, { ...extra, ...cache?.env }, folder),
      stage.redact,
    )
    const failure = failureOf(outcome)
    if (!failure) await cache?.store(folder)
    return { ...failure, ms: outcome.ms, leaked: outcome.leaked, outcome, refused: [] }
  })
}

let count = 0

/**
 * Runs `work` with a new directory for its HOME and TMPDIR, which is removed afterwards. Without
 * `stage.fresh`, `work` gets the working directory and no extra variables.
 */
async function withFreshHome<T>(
  stage: ExecutionStage,
  work: (extra: Record<string, string>, folder: string) => Promise<T>,
): Promise<T> {
  if (stage.fresh === undefined) return work({}, stage.cwd)
  const { isolated } = stage
  // All these names have equal length, because a longer environment moves the stack of a program and so
  // changes its timing.
  const folder = join(stage.fresh, String(++count).padStart(6, '0'))
  try {
    if (isolated) return await work(await prepareIsolation(folder, isolated), folder)
    const extra = { HOME: join(folder, 'home'), TMPDIR: join(folder, 'tmp') }
    for (const dir of Object.values(extra)) makeDirectory(dir, 0o700)
    return await work(extra, folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function startCommand(
  stage: ExecutionStage,
  { command, timeoutMs, keepBytes }: CommandTask,
  extra: Record<string, string>,
  folder: string,
  strict?: { channel: string; nonce: string },
): Promise<CommandOutcome & { own?: OwnMeasurement }> {
  const { isolated } = stage
  const outcome = await stage.run({
    ...programOf(stage, command, folder, strict?.channel),
    env: stage.env,
    extraEnv: { ...extra, ...(strict && { ANODE_METRIC_NONCE: strict.nonce }) },
    timeoutMs,
    signal: stage.signal,
    keepBytes,
  })
  for (const line of outcome.sandbox?.hidden ?? []) stage.closed?.add(line)
  if (stage.sandboxed && !outcome.sandbox && outcome.ended === undefined)
    throw new FailureError({
      code: 'unavailable',
      message: 'a measurement ran without its sandbox',
    })
  if (!isolated) return { ...outcome, combined: outcome.combined, own: { wall_ms: outcome.ms } }
  const { combined } = outcome
  const { leaked = 0, own: ownMeasurement } = (await readReport(folder)) ?? {}
  return { ...outcome, combined, leaked: outcome.leaked + leaked, own: ownMeasurement }
}

/**
 * Returns the program that executes a command, and its sandbox if any. `channel` is a file that the command
 * can write as descriptor 3.
 */
function programOf(
  { isolated, sandboxed, cwd, cpus = '' }: ExecutionStage,
  command: string,
  folder: string,
  channel?: string,
): Pick<ProcessCommand, 'file' | 'args' | 'cwd' | 'sandbox'> {
  if (isolated && sandboxed) {
    const [file = '', ...args] = sandboxedWords(command, cpus)
    return { file, args, cwd: isolated.cwd, sandbox: measuredSandbox(folder, isolated, channel) }
  }
  const pinned = cpus === '' ? [] : ['taskset', '-c', cpus]
  const words = isolated
    ? isolatedWords(folder, command, isolated.cwd, cpus)
    : [...(sessionKeyringWords() ?? []), ...pinned, 'bash', '-c', command]
  // The shell opens descriptor 3, so that the command itself needs no change.
  const [file = '', ...args] = channel ? ['bash', '-c', 'exec 3>>"$0" "$@"', channel, ...words] : words
  return { file, args, cwd }
}

const asIs = (text: string) => text

/** Returns the outcome without secrets in its texts. They are removed when a text is first read. */
function redactOutcome(outcome: CommandOutcome, redact: ExecutionStage['redact']): CommandOutcome {
  if (!redact) return outcome
  const covered = (captured: CapturedOutput): CapturedOutput => {
    let text: string | undefined
    return {
      ...captured,
      get text() {
        text ??= redact(captured.text)
        return text
      },
    }
  }
  const { stdout, stderr, combined } = outcome
  return { ...outcome, stdout: covered(stdout), stderr: covered(stderr), combined: covered(combined) }
}

function failureOf({
  ended: endReason,
  exit,
  signal,
  stderr,
  stdout,
}: CommandOutcome): { reason: RunReason; detail?: string } | undefined {
  if (endReason === 'cancelled') return { reason: 'interrupted' }
  if (endReason === 'timeout') return { reason: 'timeout' }
  if (exit === 0) return undefined
  const detail = summarizeErrors(stderr.text) ?? summarizeErrors(stdout.text)
  return { reason: `exit ${exit ?? signal}`, detail }
}

/**
 * Returns the last `lines` lines of a command's output without white space at the end, and of these at most
 * the last `bytes` bytes.
 */
export function tailText(text: string, lines: number, bytes: number): string {
  const lastLines = text.trimEnd().split('\n').slice(-lines).join('\n')
  const buffer = Buffer.from(lastLines)
  return buffer.length <= bytes
    ? lastLines
    : buffer
        .subarray(buffer.length - bytes)
        .toString('utf8')
        .replace(/^\uFFFD+/, '')
}
