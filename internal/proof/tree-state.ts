// Identities of files, by which changes are noticed.
import { readFileSync, readlinkSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { findStats } from '../base/files/path-lookup.ts'
import { createSha256, fingerprint } from '../base/fingerprint.ts'
import { readRegular } from './regular-file.ts'

/**
 * Largest size in bytes of a file that is read synchronously, because an asynchronous read of a small file
 * costs ten times as much.
 */
const smallBytes = 256 * 1024

/** Number of files after which other work of the process gets its turn. */
const filesAtOnce = 256

/**
 * Identities of files by their inode number. An identity is valid while the file has the same size, mode,
 * device and times. No program can set the change time of a file back.
 */
export type FileMemory = Map<number, FileState & { identity: string }>

/** Metadata of a file. Each later change of the file alters at least one of these values. */
type FileState = Pick<Stats, 'dev' | 'mode' | 'size' | 'mtimeMs' | 'ctimeMs'>

/**
 * Returns one identity for these files in this order: their paths, contents, and whether the owner may
 * execute them. A link counts by its target path, and a missing file counts as missing.
 */
export async function identifyFiles(
  dir: string,
  paths: readonly string[],
  memory?: FileMemory,
): Promise<string> {
  return joinIdentities(await readIdentities(dir, paths, memory))
}

/**
 * Returns the identity of each of these files. A file is not read if `knownIdentities` has its identity, or
 * if `memory` has one for its current size and times.
 */
export async function readIdentities(
  dir: string,
  paths: readonly string[],
  memory?: FileMemory,
  knownIdentities?: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const identities = new Map<string, string>()
  for (const [i, path] of paths.entries()) {
    if (i % filesAtOnce === filesAtOnce - 1) await setImmediate()
    const identity = knownIdentities?.get(path) ?? identifyFile(`${dir}/${path}`, memory)
    // A small file is read synchronously, because waiting for it would cost more than reading it.
    identities.set(path, typeof identity === 'string' ? identity : await identity)
  }
  return identities
}

/** Returns one identity for several files, which depends on their order. */
export function joinIdentities(identities: ReadonlyMap<string, string>): string {
  const hash = createSha256()
  let text = ''
  for (const [path, identity] of identities) {
    text += `${path}\0${identity}\0`
    // one call for many files, because a call costs more than its text
    if (text.length > 65_536) {
      hash.update(text)
      text = ''
    }
  }
  return hash.update(text).digest('hex')
}

/**
 * Returns the identity of one file: its kind and its content, or the target of a link; `missing` for a
 * missing file and for a directory or device.
 */
export function identifyFile(path: string, memory?: FileMemory): string | Promise<string> {
  const stat = findStats(path)
  if (stat?.isSymbolicLink()) return `link ${readlinkSync(path)}`
  if (!stat) return 'missing'
  const isCached = memory !== undefined && isSettled(stat.ctimeMs)
  const cachedState = isCached ? memory.get(stat.ino) : undefined
  if (cachedState && isSameState(cachedState, stat)) return cachedState.identity
  const describe = (bytes: Buffer | undefined) => {
    const identity = bytes ? `${stat.mode & 0o100 ? 'program' : 'file'} ${fingerprint(bytes)}` : 'missing'
    const { dev, mode, size, mtimeMs, ctimeMs } = stat
    if (isCached) memory.set(stat.ino, { dev, mode, size, mtimeMs, ctimeMs, identity })
    return identity
  }
  const bytes = readBytes(path, stat)
  return bytes instanceof Promise ? bytes.then(describe) : describe(bytes)
}

/**
 * Milliseconds within which two changes of a file may get the same time stamp, so that the second change
 * cannot be noticed by the time.
 */
const tickMs = 50

/**
 * Value of `tickMs` for a file whose time is a whole second, because its file system may store
 * only whole seconds.
 */
const slowTickMs = 2_500

const isSameState = (a: FileState, b: FileState): boolean =>
  a.ctimeMs === b.ctimeMs &&
  a.mtimeMs === b.mtimeMs &&
  a.size === b.size &&
  a.mode === b.mode &&
  a.dev === b.dev

/**
 * Returns true if the last change of a file is so old that a change from now on certainly gets a later time
 * stamp. `ctimeMs` is the time of the last change.
 */
export const isSettled = (ctimeMs: number): boolean =>
  Date.now() - ctimeMs >= (ctimeMs % 1000 === 0 ? slowTickMs : tickMs)

const readBytes = (path: string, stat: Stats) =>
  stat.isFile() && stat.size <= smallBytes ? readFileSync(path) : readRegular(path)

/** Returns the paths whose file differs between two directories. */
export async function findChangedFiles(
  paths: readonly string[],
  before: string,
  after: string,
): Promise<string[]> {
  const changed: string[] = []
  for (const [i, path] of paths.entries()) {
    if (i % filesAtOnce === filesAtOnce - 1) await setImmediate()
    if ((await identifyFile(join(before, path))) !== (await identifyFile(join(after, path))))
      changed.push(path)
  }
  return changed
}
