// The checkout in which a benchmark runs: the files of a tree, with the original files of the benchmark
// copied over them. It is built once and reset after every execution.
import { join } from 'node:path'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { type GitRepository, unpackTree, verifyTreeFiles } from '../git/git-tree.ts'
import type { BenchmarkSettings, ConfigLine, SegmentSettings } from '../ledger/ledger-entry.ts'
import type { MeasurementArm } from '../progress.ts'
import { matchesEntry } from '../workspace/change-scope.ts'
import type { LockedSession } from '../workspace/experiment-workspace.ts'
import { takeStrictFootprint } from '../workspace/folder-footprint.ts'
import { overlaySealedFiles } from '../workspace/integrity-lock.ts'
import { type ExecutionStage, runCommandOnce } from './benchmark-execution.ts'
import { type BuildCache, openBuildCache } from './build-cache.ts'
import type { BuiltFiles } from './built-files.ts'
import { carryInto } from './carried-paths.ts'
import { makeCheckoutFolder, removeCheckoutFolder } from './checkout-folders.ts'
import { recordBuiltCheckout } from './checkout-reset.ts'
import { prepareCheckoutStage, watchOutside } from './checkout-stage.ts'
import { type MeasuredFile, measureFileSize } from './file-size.ts'
import { changedJudgeData, readJudgeData } from './judge-data.ts'
import { lockViolation, MeasurementStopped } from './measurement-stopped.ts'

export interface MeasurementCheckout {
  readonly tree: string
  /** Top of the checkout. */
  readonly dir: string
  readonly stage: ExecutionStage
  /**
   * Returns the first file that was copied from the user's workspace and that has changed there since;
   * undefined without one.
   */
  changedOrigin(): string | undefined
  /**
   * Runs `work` in the checkout, and then removes or reverts what it left or changed. `violated` names a
   * forbidden change: of a locked file, the judge's data, the measuring process, or, without isolation, a
   * copied file of the user. Throws MeasurementStopped if the checkout has changed since the last execution.
   */
  use<T>(
    arm: MeasurementArm,
    work: (stage: ExecutionStage) => Promise<T>,
  ): Promise<{ value: T; violated?: string }>
}

/** Opens two checkouts of one tree. Throws like `openMeasurementCheckout`. */
export async function openTwinCheckouts(
  session: LockedSession,
  config: ConfigLine,
  tree: string,
): Promise<{ base: MeasurementCheckout; cand: MeasurementCheckout }> {
  return {
    base: await openMeasurementCheckout(session, config, tree, 0),
    cand: await openMeasurementCheckout(session, config, tree, 1),
  }
}

/**
 * Creates the checkout in a new directory and builds it. A session has one checkout for each number `slot`;
 * an earlier one with this number is removed. `edit` changes the files before the build. `built` opens the
 * stored result of an earlier build. Throws MeasurementStopped if a file differs from the tree, or if the
 * build fails or changes data of the judge.
 */
export async function openMeasurementCheckout(
  session: LockedSession,
  config: ConfigLine,
  tree: string,
  slot: number,
  edit?: (cwd: string) => Promise<void>,
  built?: (stage: ExecutionStage) => Promise<BuiltFiles | undefined>,
): Promise<MeasurementCheckout> {
  if (config.build !== undefined) session.experiment.tell({ kind: 'phase', phase: 'build' })
  const repo = session.repo as GitRepository
  const { repository, workspace } = session.experiment.where
  const prefix = repository?.prefix ?? ''
  const dir = await folderFor(session, slot)
  await unpackTree(repo, tree, dir)
  await verifyTreeFiles(repo, tree, dir)
  const cwd = join(dir, prefix)
  makeDirectory(cwd)
  const overlay = () => overlaySealedFiles(session.dir, config.lock, cwd)
  const sealed = await overlay()
  const measuredFiles = await providedFiles(config, cwd)
  const carried = await carryInto(workspace, cwd, config.carry)
  await edit?.(cwd)
  const provided = sizesOf(cwd, measuredFiles)
  const place = { dir, cwd, prefix, config, slot, sealed }
  const stage = { ...(await prepareCheckoutStage(session, place)), provided }
  const bare = takeStrictFootprint(dir).signs
  const cache =
    stage.isolated && openBuildCache(session.dir, config, stage.env, tree === config.tree && !edit)
  const files = config.build === undefined ? undefined : await built?.(stage)
  if (!(await files?.restore(dir))) {
    await runBuild(session, stage, config, slot, cache)
    await files?.store(dir, bare)
  }
  const { firstChange, reset } = recordBuiltCheckout({
    repo,
    tree,
    dir,
    prefix,
    carried,
    overlay,
    sealed,
    bare,
  })

  async function use<T>(arm: MeasurementArm, work: (stage: ExecutionStage) => Promise<T>) {
    const moved = firstChange()
    if (moved !== undefined) {
      const detail = `${moved === '' ? 'the checkout' : moved} was changed between two executions`
      throw lockViolation(detail, arm)
    }
    const before = await watchOutside(session, stage)
    const value = await work(stage)
    const meddled = await before.changed()
    const [touched] = await reset()
    // An execution in its namespaces cannot reach the user's files, so they need not be checked.
    const violated = touched ?? meddled ?? (stage.isolated ? undefined : carried.changed())
    return { value, violated }
  }
  return { tree, dir, stage, changedOrigin: carried.changed, use }
}

/** Returns those measured files that the tree contains and that a candidate may change. */
async function providedFiles({ files = [], scope }: SegmentSettings, cwd: string): Promise<MeasuredFile[]> {
  const measuredFiles: MeasuredFile[] = []
  for (const file of files) {
    const isOpen = scope.length === 0 || (await matchesEntry(scope, file.path))
    if (isOpen && 'bytes' in measureFileSize(cwd, file.path)) measuredFiles.push(file)
  }
  return measuredFiles
}

function sizesOf(cwd: string, files: readonly MeasuredFile[]): ReadonlyMap<string, number> {
  const sizes = files.map(({ path }) => [path, measureFileSize(cwd, path)] as const)
  return new Map(sizes.map(([path, size]) => [path, 'bytes' in size ? size.bytes : 0]))
}

async function runBuild(
  session: LockedSession,
  stage: ExecutionStage,
  { build: command, timeoutMs }: BenchmarkSettings,
  slot: number,
  cache: BuildCache | undefined,
): Promise<void> {
  if (command === undefined) return
  const judge = readJudgeData(session)
  const executed = await runCommandOnce(stage, { command, timeoutMs }, cache)
  const { reason } = executed
  if (reason)
    throw new MeasurementStopped({
      arm: slot === 0 ? 'base' : 'cand',
      reason: reason === 'interrupted' || reason === 'timeout' ? reason : 'build',
      detail: `${reason}${executed.detail === undefined ? '' : `: ${executed.detail}`}`,
      executed,
    })
  const detail = changedJudgeData(session, judge)
  if (detail !== undefined)
    throw new MeasurementStopped({ arm: 'cand', reason: 'lock_violation', detail, executed })
}

async function folderFor(session: LockedSession, slot: number): Promise<string> {
  const before = session.checkouts.get(slot)
  if (before !== undefined) await removeCheckoutFolder(before)
  const dir = await makeCheckoutFolder(session.dir)
  session.checkouts.set(slot, dir)
  return dir
}
