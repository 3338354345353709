// A checkout of one tree for measuring in: sealed files laid over it, built once, and as new before every execution.
import { chmodSync, copyFileSync, lstatSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { chmod, copyFile, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Seat } from './desk.ts'
import { attempt, bareEnvironment, type Executed, type Stage } from './execute.ts'
import { look } from './footprint.ts'
import type { ConfigLine } from './line.ts'
import { readLock, sealedAt } from './seal.ts'
import { ask, type Shelf, unpack, withIndex } from './tree.ts'

export interface Arena {
  readonly tree: string
  /** Top of the checkout. */
  readonly dir: string
  readonly stage: Stage
  /**
   * Takes back what an execution left or changed in the checkout. Answers the locked files among it; they had been
   * changed while the judge was using them.
   */
  reset(): Promise<string[]>
}

export type Opened = { ok: true; arena: Arena; built?: Executed } | { ok: false; failure: Executed }

interface Wanted {
  tree: string
  /** Two digits: paths of all arenas are of one length. */
  slot: number
  config: ConfigLine
  lock: string
}

/** Makes the checkout below `wt/`. A build that fails is an answer. */
export async function openArena(seat: Seat, { tree, slot, config, lock }: Wanted): Promise<Opened> {
  const shelf = seat.shelf as Shelf
  const { repository, workspace } = seat.desk.where
  const { signal, run, env } = seat.desk.ground
  const prefix = repository?.prefix ?? ''
  const dir = join(seat.dir, 'wt', `arm${String(slot).padStart(2, '0')}`)
  await clear(dir)
  await unpack(shelf, tree, dir)
  const cwd = join(dir, prefix)
  await mkdir(cwd, { recursive: true })
  const sealed = await overlay(seat.dir, lock, cwd)
  for (const path of config.carry) link(join(workspace, path), join(cwd, path))
  const fresh = join(seat.dir, 'tmp', `home${String(slot).padStart(2, '0')}`)
  await rm(fresh, { recursive: true, force: true })
  const stage: Stage = { run, cwd, env: bareEnvironment(env, config.env), fresh, signal }
  const bare = look(dir)
  let built: Executed | undefined
  if (config.build !== undefined) {
    built = await attempt(stage, { command: config.build, timeoutMs: config.timeoutMs })
    if (built.reason) return { ok: false, failure: built }
  }
  const pristine = `${dir}.built`
  await clear(pristine)
  let seen = look(dir)
  const made = [...seen].filter(([path, sign]) => bare.get(path) !== sign && !sign.startsWith('d'))
  for (const [path] of made) copy(join(dir, path), join(pristine, path))
  const kept = new Set(made.map(([path]) => path))
  const locked = new Set(sealed.map((file) => prefix + file))

  async function reset(): Promise<string[]> {
    const now = look(dir)
    const extra = [...now.keys()].filter((path) => !seen.has(path))
    // folders come before what lies in them, so that removing them removes it
    for (const path of extra) rmSync(join(dir, path), { recursive: true, force: true })
    const lost = [...seen].filter(([path, sign]) => now.get(path) !== sign).map(([path]) => path)
    if (extra.length + lost.length === 0) return []
    for (const path of lost) if (seen.get(path)?.startsWith('d')) folder(join(dir, path))
    const files = lost.filter((path) => !seen.get(path)?.startsWith('d'))
    for (const path of files) if (kept.has(path)) copy(join(pristine, path), join(dir, path))
    const fromTree = files.filter((path) => !kept.has(path) && !locked.has(path) && !isCarried(path))
    await takeOut(shelf, tree, dir, fromTree)
    if (files.some((path) => locked.has(path))) await overlay(seat.dir, lock, cwd)
    for (const path of config.carry)
      if (files.includes(prefix + path)) link(join(workspace, path), join(cwd, path))
    seen = look(dir)
    return files.filter((path) => locked.has(path))
  }
  const isCarried = (path: string) => config.carry.some((entry) => path === prefix + entry)
  return { ok: true, arena: { tree, dir, stage, reset }, ...(built && { built }) }
}

/** Lays the sealed files over a checkout, read-only; answers their names. */
export async function overlay(dir: string, digest: string, cwd: string): Promise<string[]> {
  const lock = await readLock(dir, digest)
  const names = Object.keys(lock?.files ?? {})
  for (const name of names) {
    const to = join(cwd, name)
    await mkdir(dirname(to), { recursive: true })
    await rm(to, { recursive: true, force: true })
    const from = join(sealedAt(dir, digest), 'files', name)
    await copyFile(from, to)
    await chmod(to, lstatSync(from).mode & 0o100 ? 0o555 : 0o444)
  }
  return names
}

async function takeOut(shelf: Shelf, tree: string, dir: string, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return
  for (const path of paths) rmSync(join(dir, path), { recursive: true, force: true })
  await withIndex(shelf, async (index) => {
    await ask(shelf, ['read-tree', tree], { index })
    const input = paths.map((path) => `${path}\0`).join('')
    await ask(shelf, ['checkout-index', '--force', '--quiet', `--prefix=${dir}/`, '-z', '--stdin'], {
      index,
      input,
    })
  })
}

/** Removes a folder whose files may be read-only; a rename first, so that a crash leaves no half of it in its place. */
async function clear(dir: string): Promise<void> {
  if (!lstatSync(dir, { throwIfNoEntry: false })) return
  const aside = `${dir}.gone`
  await rm(aside, { recursive: true, force: true })
  await rename(dir, aside)
  await rm(aside, { recursive: true, force: true })
}

function link(from: string, to: string): void {
  if (!lstatSync(from, { throwIfNoEntry: false })) return
  mkdirSync(dirname(to), { recursive: true })
  rmSync(to, { recursive: true, force: true })
  symlinkSync(from, to)
}

function folder(path: string): void {
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (there && !there.isDirectory()) rmSync(path)
  mkdirSync(path, { recursive: true })
  chmodSync(path, 0o755)
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
