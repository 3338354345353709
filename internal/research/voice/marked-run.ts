// The marked run: the benchmark prints its metrics with a secret mark, which other code does not know. So
// Anode sees who printed them.
import { randomBytes } from 'node:crypto'
import { lstat, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreCodes } from '../../base/files/ignored-errors.ts'
import { type GitRepository, listTree } from '../git/git-tree.ts'
import { samplingMethodOf } from '../judge/segment-rules.ts'
import type { ConfigLine } from '../ledger/ledger-entry.ts'
import { openMeasurementCheckout } from '../measure/benchmark-checkout.ts'
import { type BenchmarkExecution, runBenchmark } from '../measure/benchmark-execution.ts'
import { MeasurementStopped } from '../measure/measurement-stopped.ts'
import { matchesEntry } from '../workspace/change-scope.ts'
import type { LockedSession } from '../workspace/experiment-workspace.ts'
import { readLock } from '../workspace/integrity-lock.ts'

const plainMark = /\bMETRIC\b/g
const maxBytes = 1 << 20

/**
 * Returns true if the benchmark itself prints the metrics of `tree`: all of them with the mark, and none
 * without it. Returns false if the measurement was stopped.
 */
export async function isMarkedByBenchmark(
  session: LockedSession,
  config: ConfigLine,
  tree: string,
  slot: number,
): Promise<boolean> {
  const executed = await executeMarked(session, config, tree, slot)
  return executed?.sample !== undefined
}

/**
 * Executes `tree` with the mark in place of METRIC, in the command, the build, and every text file of at most
 * 1 MiB that a candidate may not change. The result has no sample if a metric was not printed with the mark,
 * or if one was printed without it. Returns undefined if the measurement was stopped.
 */
export async function executeMarked(
  session: LockedSession,
  config: ConfigLine,
  tree: string,
  slot: number,
  expected?: readonly string[],
): Promise<BenchmarkExecution | undefined> {
  const mark = `M${randomBytes(8).toString('hex')}`
  const names = await judgeFiles(session, config, tree)
  const edit = async (cwd: string) => {
    for (const name of names) await markFile(join(cwd, name), mark)
  }
  const command = (config.command as string).replace(plainMark, mark)
  const marked = { ...config, command, build: config.build?.replace(plainMark, mark) }
  try {
    const checkout = await openMeasurementCheckout(session, marked, tree, slot, edit)
    const method = samplingMethodOf(config, command)
    const task = { ...method, expected: expected ?? method.expected, mark }
    const executed = await runBenchmark(checkout.stage, task)
    const spoke = /^METRIC(@\w+)?[ \t]/m.test(executed.outcome.combined.text)
    if (!spoke) return executed
    const { sample: _, ...rest } = executed
    return { ...rest, detail: 'a METRIC line was printed that the benchmark did not print' }
  } catch (error) {
    if (error instanceof MeasurementStopped) return undefined
    throw error
  }
}

/** Lists the files that no candidate can change, relative to the workspace. */
async function judgeFiles(session: LockedSession, config: ConfigLine, tree: string): Promise<string[]> {
  const prefix = session.experiment.where.repository?.prefix ?? ''
  const names = new Set(Object.keys((await readLock(session.dir, config.lock))?.files ?? {}))
  if (config.scope.length === 0) return [...names]
  for (const [path, { mode }] of await listTree(session.repo as GitRepository, tree)) {
    if (!path.startsWith(prefix) || mode === '120000' || mode === '160000') continue
    const workspacePath = path.slice(prefix.length)
    if (!(await matchesEntry(config.scope, workspacePath))) names.add(workspacePath)
  }
  return [...names]
}

async function markFile(path: string, mark: string): Promise<void> {
  const stat = await lstat(path).catch(ignoreCodes('ENOENT', 'ENOTDIR'))
  if (!stat?.isFile() || stat.size > maxBytes) return
  const bytes = await readFile(path)
  if (!bytes.includes('METRIC') || bytes.includes(0)) return
  // Sealed files are read-only, so the file is removed before it is written again.
  await rm(path)
  await writeFile(path, bytes.toString('latin1').replace(plainMark, mark), {
    encoding: 'latin1',
    mode: stat.mode & 0o777,
  })
}
