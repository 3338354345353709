// The trial candidate, which shows at init whether the code under test can print metrics for the benchmark.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreCodes } from '../../base/files/ignored-errors.ts'
import { type GitRepository, listTree } from '../git/git-tree.ts'
import { samplingMethodOf } from '../judge/segment-rules.ts'
import type {
  BenchmarkSettings,
  BenchmarkVoice,
  ConfigLine,
  SegmentSettings,
} from '../ledger/ledger-entry.ts'
import { openMeasurementCheckout } from '../measure/benchmark-checkout.ts'
import { runBenchmark } from '../measure/benchmark-execution.ts'
import { MeasurementStopped } from '../measure/measurement-stopped.ts'
import { matchesEntry } from '../workspace/change-scope.ts'
import type { LockedSession } from '../workspace/experiment-workspace.ts'
import { readLock } from '../workspace/integrity-lock.ts'
import { isMarkedByBenchmark } from './marked-run.ts'
import { isCodeFile, spokenCommand, type TrialFile, withTrialStatement } from './trial-statement.ts'

/** Number of the checkout for the trial, which follows those of the null test. */
const slot = 2
const maxFiles = 200
const maxBytes = 1 << 20

/**
 * Returns which code can print metrics: only the benchmark, other code too (`candidate`), or `unknown`.
 * `marked` says whether the benchmark itself prints its metrics, so that it can print them with a secret
 * mark. Executes the benchmark at most twice, in a copy of the baseline.
 */
export async function findVoice(session: LockedSession, config: ConfigLine): Promise<BenchmarkVoice> {
  const files = await candidateFiles(session, config)
  if (files.length === 0) return { of: 'benchmark', marked: false }
  // The output has the format of a tool. Code under test may print lines in that format too, and the trial
  // only tries METRIC lines.
  if (config.format) return { of: 'unknown', marked: false }
  const metric = printedMetric(config)
  if (metric === undefined) return { of: 'benchmark', marked: false }
  const spoken = await tryToSpeak(session, config, files, metric)
  if (spoken === false) return { of: 'benchmark', marked: false }
  const marked = await isMarkedByBenchmark(session, config, config.tree as string, slot).catch(() => false)
  return { of: spoken ? 'candidate' : 'unknown', marked }
}

/**
 * Returns the first metric, of the primary one and the guards, that Anode does not measure as the size of a
 * file. Returns undefined if it measures all of them.
 */
function printedMetric({ metricName, guards, files = [] }: SegmentSettings): string | undefined {
  const names = [metricName, ...guards.map(({ metric }) => metric)]
  return names.find((name) => !files.some(({ metric }) => metric === name))
}

/** Lists at most 200 files of code that a candidate may change, relative to the workspace. */
async function candidateFiles(session: LockedSession, config: ConfigLine): Promise<string[]> {
  const { scope, locked, lock } = config
  const prefix = session.experiment.where.repository?.prefix ?? ''
  const sealed = Object.keys((await readLock(session.dir, lock))?.files ?? {})
  const tree = await listTree(session.repo as GitRepository, config.tree as string)
  const files: string[] = []
  for (const [path, { mode }] of tree) {
    if (!path.startsWith(prefix) || mode === '120000' || mode === '160000' || !isCodeFile(path)) continue
    const workspacePath = path.slice(prefix.length)
    if (
      sealed.includes(workspacePath) ||
      workspacePath.startsWith('.auto/') ||
      (await matchesEntry(locked, workspacePath))
    )
      continue
    if (scope.length === 0 || (await matchesEntry(scope, workspacePath))) files.push(workspacePath)
    if (files.length >= maxFiles) break
  }
  return files
}

/**
 * Returns whether a value that the trial printed was counted as a metric. Returns undefined if no file could
 * contain the trial, if the trial could not be built, or if the command failed before the trial printed.
 */
async function tryToSpeak(
  session: LockedSession,
  config: ConfigLine,
  files: readonly string[],
  metric: string,
): Promise<boolean | undefined> {
  // no benchmark prints this value by itself
  const value = 1 + Math.round(Math.random() * 1e9) / 1e9
  const command = spokenCommand(metric, value)
  let written = 0
  const edit = async (cwd: string) => {
    for (const path of files) {
      const text = await readFile(join(cwd, path), 'utf8').catch(ignoreCodes('ENOENT', 'EISDIR'))
      if (text === undefined || text.length > maxBytes || text.includes('\0')) continue
      const file: TrialFile | undefined = withTrialStatement(path, text, command)
      if (!file) continue
      await writeFile(join(cwd, file.path), file.text)
      written++
    }
  }
  session.experiment.tell({ kind: 'phase', phase: 'trial candidate' })
  try {
    const checkout = await openMeasurementCheckout(session, config, config.tree as string, slot, edit)
    if (written === 0) return undefined
    const { sample, reason, outcome } = await runBenchmark(
      checkout.stage,
      samplingMethodOf(config, config.command as string),
    )
    if (sample && { ...sample.metrics, [config.metricName]: sample.value }[metric] === value) return true
    // If the line was printed but did not count, the benchmark printed another value or ended
    // for another reason.
    const arrived = outcome.combined.text.includes(`=${value}`)
    return arrived || reason === undefined || !reason.startsWith('exit ') ? false : undefined
  } catch (error) {
    if (error instanceof MeasurementStopped) return undefined
    throw error
  }
}

/**
 * Returns the notices of `init` about other code that can or may print metrics; empty if only
 * the benchmark can.
 */
export function voiceNotes(
  voice: BenchmarkVoice,
  { strictMetrics: strict, format }: BenchmarkSettings,
): string[] {
  if (voice.of === 'benchmark') return []
  const why = format ? '--format skips the trial' : 'the trial gave no answer'
  const what =
    voice.of === 'candidate'
      ? 'the code under test can print metrics for the benchmark: a trial that printed one was counted'
      : `it is not known whether the code under test can print metrics for the benchmark: ${why}`
  const apart = 'run the code in a separate process, for example with `anode research cpu -- CMD`'
  const form = strict ? apart : `use --strict-metrics and ${apart}`
  return [`${what}; to close this, ${form} (see \`anode manual research-reference\`)`]
}
