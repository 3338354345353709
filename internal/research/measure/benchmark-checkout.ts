// A checkout of one tree for measuring in: sealed files laid over it, built once, and as new before every execution.
import { chmodSync, copyFileSync, lstatSync, lutimesSync, mkdirSync, rmSync } from 'node:fs'
import { chmod, copyFile, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type GitRepository, runGit, unpackTree, verifyTreeFiles, withPrivateIndex } from '../git/git-tree.ts'
import type { ConfigLine } from '../ledger/ledger-entry.ts'
import type { MeasurementArm } from '../progress.ts'
import type { LockedSession } from '../workspace/experiment-workspace.ts'
import { firstChange, takeStrictFootprint } from '../workspace/folder-footprint.ts'
import { redactorFor, secretFiles } from '../workspace/holdout.ts'
import { readLock, sealFolder } from '../workspace/integrity-lock.ts'
import {
  type BenchmarkExecution,
  bareEnvironment,
  type ExecutionStage,
  runCommandOnce,
} from './benchmark-execution.ts'
import { carryInto } from './carried-paths.ts'
import { dataFolderOf, makeCheckoutFolder, removeCheckoutFolder } from './checkout-folders.ts'
import { renewFolder } from './folder-renewal.ts'
import { isolatedRoot } from './isolation/isolation.ts'
import { visibleFolders } from './isolation/visible-folders.ts'
import { changedJudgeData, readJudgeData } from './judge-data.ts'
import { MeasurementStopped } from './measurement-stopped.ts'
import { readSelfState, restoreSelfState, selfChanges } from './self-state.ts'

export interface MeasurementCheckout {
  readonly tree: string
  /** Top of the checkout. */
  readonly dir: string
  readonly stage: ExecutionStage
  /** The first of the person's own files, carried into this checkout, that has changed since. */
  changedOrigin(): string | undefined
  /**
   * Executes in the checkout as it was left, and takes back what that left or changed. `violated` names what the
   * execution had no business to change: a locked file, the judge's data, the measuring process. Throws Stopped when
   * somebody has changed the checkout since the last time.
   */
  use<T>(
    arm: MeasurementArm,
    work: (stage: ExecutionStage) => Promise<T>,
  ): Promise<{ value: T; violated?: string }>
}

type CheckoutBuild =
  | { ok: true; checkout: MeasurementCheckout; built?: BenchmarkExecution }
  | { ok: false; failure: BenchmarkExecution }

interface CheckoutRequest {
  tree: string
  /** Checkouts of one number follow each other: opening removes the one before. */
  slot: number
  config: ConfigLine
  lock: string
}

/** Makes the checkout in a folder of its own. A build that fails is an answer. */
export async function buildMeasurementCheckout(
  session: LockedSession,
  wanted: CheckoutRequest,
): Promise<CheckoutBuild> {
  const { tree, config, lock } = wanted
  const repo = session.repo as GitRepository
  const prefix = session.experiment.where.repository?.prefix ?? ''
  const dir = await folderFor(session, wanted.slot)
  await unpackTree(repo, tree, dir)
  await verifyTreeFiles(repo, tree, dir)
  const cwd = join(dir, prefix)
  await mkdir(cwd, { recursive: true })
  const sealed = await overlaySealedFiles(session.dir, lock, cwd)
  const carried = await carryInto(session.experiment.where.workspace, cwd, config.carry)
  const stage = await stageIn(session, { dir, cwd, prefix, config, slot: wanted.slot })
  const bare = takeStrictFootprint(dir).signs
  let built: BenchmarkExecution | undefined
  if (config.build !== undefined) {
    const judge = readJudgeData(session)
    built = await runCommandOnce(stage, { command: config.build, timeoutMs: config.timeoutMs })
    if (built.reason) return { ok: false, failure: built }
    const touched = changedJudgeData(session, judge)
    if (touched !== undefined)
      throw new MeasurementStopped({
        arm: 'cand',
        reason: 'lock_violation',
        detail: touched,
        executed: built,
      })
  }
  const pristine = `${dir}.built`
  let seen = takeStrictFootprint(dir)
  const made = [...seen.signs].filter(([path, sign]) => bare.get(path) !== sign && !sign.startsWith('d'))
  for (const [path] of made) copy(join(dir, path), join(pristine, path))
  const kept = new Set(made.map(([path]) => path))
  const locked = new Set(sealed.map((file) => prefix + file))

  /** Takes back what an execution left or changed; answers the locked files among it, and what it cannot take back. */
  async function reset(): Promise<string[]> {
    const now = takeStrictFootprint(dir)
    const extra = [...now.signs.keys()].filter((path) => !seen.signs.has(path))
    // folders come before what lies in them, so that removing them removes it
    for (const path of extra) rmSync(join(dir, path), { recursive: true, force: true })
    const lost = [...seen.signs].filter(([path, sign]) => now.signs.get(path) !== sign)
    const read = [...seen.times].filter(([path, { read }]) => now.times.get(path)?.read !== read)
    if (extra.length + lost.length + read.length === 0) return []
    const folders = lost.filter(([, sign]) => sign.startsWith('d'))
    for (const [path, sign] of folders) folder(join(dir, path), Number(sign.split(' ')[1]))
    const files = lost.filter(([, sign]) => !sign.startsWith('d')).map(([path]) => path)
    for (const path of files) if (kept.has(path)) copy(join(pristine, path), join(dir, path))
    const isCarried = (path: string) => carried.has(path, prefix)
    const recopied = files.filter((path) => !kept.has(path) && isCarried(path))
    // what the person has changed meanwhile would be another benchmark
    const other = recopied.length > 0 ? carried.changed() : undefined
    if (other === undefined) await carried.restore(recopied, prefix)
    const fromTree = files.filter((path) => !kept.has(path) && !locked.has(path) && !isCarried(path))
    await checkOutFiles(repo, tree, dir, fromTree)
    if (files.some((path) => locked.has(path))) await overlaySealedFiles(session.dir, lock, cwd)
    // times and attributes of a folder could tell a later execution something, as could the time of reading
    for (const [path] of folders.reverse()) renewFolder(join(dir, path))
    for (const [path, { read: at, changed }] of read)
      if (!files.includes(path)) lutimesSync(join(dir, path), at, changed)
    seen = takeStrictFootprint(dir)
    return [...files.filter((path) => locked.has(path)), ...(other === undefined ? [] : [other])]
  }

  async function use<T>(arm: MeasurementArm, work: (stage: ExecutionStage) => Promise<T>) {
    const moved = firstChange(seen.signs, takeStrictFootprint(dir).signs)
    if (moved !== undefined) {
      const detail = `${moved === '' ? 'the checkout' : moved} was changed between two executions`
      throw new MeasurementStopped({ arm, reason: 'lock_violation', detail })
    }
    const before = await watchOutside(session, stage)
    const value = await work(stage)
    const meddled = await before.changed()
    const [touched] = await reset()
    // from inside of its walls an execution cannot reach what belongs to the person
    const violated = touched ?? meddled ?? (stage.isolated ? undefined : carried.changed())
    return { value, ...(violated !== undefined && { violated }) }
  }
  return {
    ok: true,
    checkout: { tree, dir, stage, changedOrigin: carried.changed, use },
    ...(built && { built }),
  }
}

/** What an execution must leave alone outside of its checkout; only namespaces keep it from getting there at all. */
async function watchOutside(session: LockedSession, { run, env, cwd, isolated }: ExecutionStage) {
  const judge = readJudgeData(session)
  const tools = { run, env, cwd }
  const self = isolated ? undefined : await readSelfState(tools)
  return {
    async changed(): Promise<string | undefined> {
      if (self) {
        const now = await readSelfState(tools)
        const different = selfChanges(self, now)
        if (different.length > 0) {
          await restoreSelfState(self, now, tools)
          return `the measuring process: ${different.join(', ')}`
        }
      }
      return changedJudgeData(session, judge)
    },
  }
}

async function folderFor(session: LockedSession, slot: number): Promise<string> {
  const before = session.checkouts.get(slot)
  if (before !== undefined) await removeCheckoutFolder(before)
  const dir = await makeCheckoutFolder(session.dir)
  session.checkouts.set(slot, dir)
  return dir
}

interface Room {
  dir: string
  cwd: string
  prefix: string
  config: ConfigLine
  slot: number
}

async function stageIn(
  session: LockedSession,
  { dir, cwd, prefix, config, slot }: Room,
): Promise<ExecutionStage> {
  const { signal, run, env } = session.experiment.options
  const { workspace, repository } = session.experiment.where
  const own = bareEnvironment(env, config.env)
  const fresh = join(session.dir, 'tmp', `home${String(slot).padStart(2, '0')}`)
  await rm(fresh, { recursive: true, force: true })
  const isolation = await session.isolation(config)
  const data = dataFolderOf(session.dir)
  const places = {
    checkout: dir,
    cwd: join(isolatedRoot, 'checkout', prefix),
    keep: visibleFolders([repository?.top ?? workspace, ...(own.PATH ?? '').split(':')]),
    cover: ['research', 'holdouts', 'checkouts'].map((name) => join(data, name)),
    mask: await secretFiles(session, config),
  }
  return {
    run,
    cwd,
    env: own,
    fresh,
    signal,
    cpus: isolation.cpus,
    redact: await redactorFor(session, config),
    shown: isolation.kind === 'none' ? cwd : join(isolatedRoot, 'checkout', prefix),
    ...(isolation.kind === 'namespaces' && { isolated: places }),
  }
}

/** Lays the sealed files over a checkout, read-only; answers their names. */
export async function overlaySealedFiles(dir: string, digest: string, cwd: string): Promise<string[]> {
  const lock = await readLock(dir, digest)
  const names = Object.keys(lock?.files ?? {})
  for (const name of names) {
    const to = join(cwd, name)
    await mkdir(dirname(to), { recursive: true })
    await rm(to, { recursive: true, force: true })
    const from = join(sealFolder(dir, digest), 'files', name)
    await copyFile(from, to)
    await chmod(to, lstatSync(from).mode & 0o100 ? 0o555 : 0o444)
  }
  return names
}

async function checkOutFiles(
  repo: GitRepository,
  tree: string,
  dir: string,
  paths: readonly string[],
): Promise<void> {
  if (paths.length === 0) return
  for (const path of paths) rmSync(join(dir, path), { recursive: true, force: true })
  await withPrivateIndex(repo, async (index) => {
    await runGit(repo, ['read-tree', tree], { index })
    const input = paths.map((path) => `${path}\0`).join('')
    await runGit(repo, ['checkout-index', '--force', '--quiet', `--prefix=${dir}/`, '-z', '--stdin'], {
      index,
      input,
    })
  })
  await verifyTreeFiles(repo, tree, dir, paths)
}

function folder(path: string, mode: number): void {
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (there && !there.isDirectory()) rmSync(path)
  mkdirSync(path, { recursive: true })
  chmodSync(path, mode & 0o7777)
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  rmSync(to, { recursive: true, force: true })
  const stat = lstatSync(from)
  if (stat.isFile()) {
    copyFileSync(from, to)
    chmodSync(to, stat.mode & 0o777)
  }
}
