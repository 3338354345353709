// The mounts of an isolated execution as tables in the form of fstab.
import { existsSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ClosedPaths } from '../../../process/process-command.ts'

/** Folders that are new in every execution: what lay in them is not there. */
const replaced = ['/tmp', '/var/tmp', '/dev/shm']

/** What an isolated execution sees of the machine besides read-only system files. */
export interface IsolatedPlaces {
  /** Real path of the checkout, shown at `/tmp/anode/checkout`. */
  checkout: string
  /** Directory to work in, as it is seen inside. */
  cwd: string
  /** Folders below /tmp that stay visible, read-only. */
  keep: readonly string[]
  /** Folders that are shown empty. */
  cover: readonly string[]
  /** Files that are shown empty. */
  mask: readonly string[]
  /** Behind a wall: paths that stay readable, wherever they lie. */
  shown?: readonly string[]
  /** Behind a wall: files that stay as they are, relative to the checkout. */
  locked?: readonly string[]
  /** In a sandbox: files of the checkout and of `shown` that are shown empty, by their paths here. */
  closed?: ClosedPaths | undefined
}

/** Mounted while folders can still be changed, and once everything is read-only. */
interface MountTables {
  inner: string
  outer: string
}

/** `folder` is the execution's own; `<folder>/own` becomes its /tmp. */
export function mountTables(folder: string, { checkout, keep, cover, mask }: IsolatedPlaces): MountTables {
  const own = join(folder, 'own')
  // `mount` leaves out what seems to be there already, and nothing has this folder as its source
  const empty = (target: string, options: string) => row(folder, target, 'tmpfs', options)
  const inner = [row(own, own, 'none', 'bind'), row(checkout, join(own, 'anode/checkout'), 'none', 'rbind')]
  for (const path of keep) inner.push(row(path, join(own, path.slice('/tmp'.length)), 'none', 'rbind'))
  // from here on what lay in /tmp and /var/tmp cannot be named any more
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

/** What would end a word or a line, in the way of fstab. */
function escaped(path: string): string {
  return path.replace(/[ \t\n\r\\#]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`)
}
