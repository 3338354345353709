// Mounts of an isolated execution, as tables in the format of /etc/fstab.
import { existsSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ClosedPaths } from '../../../process/process-command.ts'

/**
 * Directories that every isolated execution gets new. Of their existing content, only the checkout and the
 * directories in `keep` stay visible.
 */
const replaced = ['/tmp', '/var/tmp', '/dev/shm']

/**
 * What an isolated execution can access in addition to read-only system files, and what appears empty in it.
 */
export interface IsolatedPlaces {
  /** Real path of the checkout, mounted at `/tmp/anode/checkout`. */
  checkout: string
  /** Working directory, as a path inside the isolation. */
  cwd: string
  /** Directories below /tmp that stay visible, read-only. */
  keep: readonly string[]
  /** Directories that appear empty inside the isolation. */
  cover: readonly string[]
  /** Files that appear empty inside the isolation. */
  mask: readonly string[]
  /** Only for a sandbox: paths anywhere that stay readable. */
  shown?: readonly string[]
  /** Only for a sandbox: files of the checkout that are read-only, by their paths relative to it. */
  locked?: readonly string[]
  /** Only for a sandbox: files of the checkout and of `shown` that appear empty, by their paths outside. */
  closed?: ClosedPaths | undefined
}

/**
 * Tables of mounts. Those of `inner` are made before the whole file system becomes read-only, those
 * of `outer` afterwards.
 */
interface MountTables {
  inner: string
  outer: string
}

/** Returns the tables of mounts. `folder` belongs to this execution, and its directory `own` becomes /tmp. */
export function mountTables(folder: string, { checkout, keep, cover, mask }: IsolatedPlaces): MountTables {
  const tmpFolder = join(folder, 'own')
  // `mount` skips an entry that seems to be mounted already. No mount has `folder` as its source, so this
  // entry is never skipped.
  const empty = (target: string, options: string) => writeRow(folder, target, 'tmpfs', options)
  const inner = [
    writeRow(tmpFolder, tmpFolder, 'none', 'bind'),
    writeRow(checkout, join(tmpFolder, 'anode/checkout'), 'none', 'rbind'),
  ]
  for (const path of keep)
    inner.push(writeRow(path, join(tmpFolder, path.slice('/tmp'.length)), 'none', 'rbind'))
  // This mount covers the original /tmp and /var/tmp, whose content cannot be reached by a path any more.
  const outer = [writeRow(tmpFolder, '/tmp', 'none', 'rbind')]
  if (existsSync('/var/tmp')) outer.push(writeRow('/tmp/anode/var', '/var/tmp', 'none', 'bind'))
  if (existsSync('/dev/shm')) outer.push(empty('/dev/shm', 'mode=1777'))
  outer.push(writeRow(folder, '/proc', 'proc', 'defaults'))
  for (const path of [...cover, ...mask]) {
    const real = existsSync(path) ? realpathSync(path) : undefined
    if (real === undefined || !isSeen(real, keep)) continue
    outer.push(statSync(real).isDirectory() ? empty(real, 'ro') : writeRow('/dev/null', real, 'none', 'bind'))
  }
  return { inner: inner.join(''), outer: outer.join('') }
}

function isSeen(path: string, keep: readonly string[]): boolean {
  const below = (folders: readonly string[]) =>
    folders.some((folder) => path === folder || path.startsWith(`${folder}/`))
  return !below(replaced) || below(keep)
}

function writeRow(source: string, target: string, kind: string, options: string): string {
  return `${[source, target].map(escapePath).join(' ')} ${kind} ${options} 0 0\n`
}

/** Writes white space, `\` and `#`, which have a meaning in fstab, as octal codes. */
function escapePath(path: string): string {
  return path.replace(/[ \t\n\r\\#]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`)
}
