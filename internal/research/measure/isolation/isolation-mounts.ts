// Mounts of an isolated execution, as tables in the format of fstab.
import { existsSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ClosedPaths } from '../../../process/process-command.ts'

/** Directories that are new and empty in every execution. */
const replaced = ['/tmp', '/var/tmp', '/dev/shm']

/** Parts of the machine that an isolated execution sees in addition to read-only system files. */
export interface IsolatedPlaces {
  /** Real path of the checkout, mounted at `/tmp/anode/checkout`. */
  checkout: string
  /** Working directory, as seen inside. */
  cwd: string
  /** Directories below /tmp that stay visible, read-only. */
  keep: readonly string[]
  /** Directories that appear empty. */
  cover: readonly string[]
  /** Files that appear empty. */
  mask: readonly string[]
  /** In a sandbox: paths that stay readable at any location. */
  shown?: readonly string[]
  /** In a sandbox: files that are read-only, relative to the checkout. */
  locked?: readonly string[]
  /** In a sandbox: files of the checkout and of `shown` that appear empty, by their paths outside. */
  closed?: ClosedPaths | undefined
}

/** Mounts before and after everything becomes read-only. */
interface MountTables {
  inner: string
  outer: string
}

/** Returns the tables. `folder` belongs to the execution; `<folder>/own` becomes its /tmp. */
export function mountTables(folder: string, { checkout, keep, cover, mask }: IsolatedPlaces): MountTables {
  const own = join(folder, 'own')
  // `mount` skips an entry that seems to be mounted already, and no mount has this directory as its source
  const empty = (target: string, options: string) => row(folder, target, 'tmpfs', options)
  const inner = [row(own, own, 'none', 'bind'), row(checkout, join(own, 'anode/checkout'), 'none', 'rbind')]
  for (const path of keep) inner.push(row(path, join(own, path.slice('/tmp'.length)), 'none', 'rbind'))
  // from here on the earlier content of /tmp and /var/tmp cannot be named
  const outer = [row(own, '/tmp', 'none', 'rbind')]
  if (existsSync('/var/tmp')) outer.push(row('/tmp/anode/var', '/var/tmp', 'none', 'bind'))
  if (existsSync('/dev/shm')) outer.push(empty('/dev/shm', 'mode=1777'))
  outer.push(row(folder, '/proc', 'proc', 'defaults'))
  for (const path of [...cover, ...mask]) {
    const real = existsSync(path) ? realpathSync(path) : undefined
    if (real === undefined || !isSeen(real, keep)) continue
    outer.push(statSync(real).isDirectory() ? empty(real, 'ro') : row('/dev/null', real, 'none', 'bind'))
  }
  return { inner: inner.join(''), outer: outer.join('') }
}

function isSeen(path: string, keep: readonly string[]): boolean {
  const below = (folders: readonly string[]) =>
    folders.some((folder) => path === folder || path.startsWith(`${folder}/`))
  return !below(replaced) || below(keep)
}

function row(source: string, target: string, kind: string, options: string): string {
  return `${[source, target].map(escaped).join(' ')} ${kind} ${options} 0 0\n`
}

/** Escapes characters that end a word or a line in fstab. */
function escaped(path: string): string {
  return path.replace(/[ \t\n\r\\#]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`)
}
