// Footprint of a directory: metadata that shows every change of the files below it, without reading them.
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Map from each path below the directory to its metadata, which begins with `d` for directories and `f`
 * for all others.
 */
export type FolderFootprint = ReadonlyMap<string, string>

/**
 * Returns the directories, files and links below `dir` with metadata that shows a change: of a directory only
 * its mode, of others also the change time, because no program can set it back. Links are not followed.
 */
export function takeFootprint(dir: string): Map<string, string> {
  const footprint = new Map<string, string>()
  walkFolder(dir, '', (path, stat) => {
    if (stat.isDirectory()) footprint.set(path, `d ${stat.mode}`)
    else footprint.set(path, `f ${stat.mode} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`)
  })
  return footprint
}

/**
 * Footprint in which the directory and its subdirectories are checked as strictly as files, with the times at
 * which files were read.
 */
interface StrictFootprint {
  /** Metadata of the entries by path; `''` is the directory itself. */
  signs: Map<string, string>
  /** Last read and last change of each file, in seconds since 1970. */
  times: Map<string, { read: number; changed: number }>
}

/**
 * Takes a strict footprint of a directory or a single file. A replaced directory, or one with changed times
 * or attributes, counts as changed too. The footprint of a missing path is empty.
 */
export function takeStrictFootprint(dir: string): StrictFootprint {
  const signs = new Map<string, string>()
  const times: StrictFootprint['times'] = new Map()
  const note = (path: string, stat: FileStat) => {
    const kind = stat.isDirectory() ? 'd' : 'f'
    const size = kind === 'd' ? '' : ` ${stat.size}`
    signs.set(path, `${kind} ${stat.mode} ${stat.dev} ${stat.ino}${size} ${stat.mtimeNs} ${stat.ctimeNs}`)
    if (kind === 'f')
      times.set(path, { read: Number(stat.atimeNs) / 1e9, changed: Number(stat.mtimeNs) / 1e9 })
  }
  const top = statOf(dir)
  if (top) note('', top)
  if (top?.isDirectory()) walkFolder(dir, '', note)
  return { signs, times }
}

/**
 * Returns the first path that is missing now, has other metadata or is new; undefined without such a path.
 */
export function firstChange(before: FolderFootprint, now: FolderFootprint): string | undefined {
  for (const [path, sign] of before) if (now.get(path) !== sign) return path
  for (const path of now.keys()) if (!before.has(path)) return path
  return undefined
}

type FileStat = NonNullable<ReturnType<typeof statOf>>
const statOf = (path: string) => lstatSync(path, { bigint: true, throwIfNoEntry: false })

function walkFolder(dir: string, below: string, tell: (path: string, stat: FileStat) => void): void {
  for (const { name } of readdirSync(join(dir, below), { withFileTypes: true })) {
    const path = below === '' ? name : `${below}/${name}`
    const stat = statOf(join(dir, path))
    if (!stat) continue
    tell(path, stat)
    if (stat.isDirectory()) walkFolder(dir, path, tell)
  }
}

/** Duration in milliseconds that is longer than one step of the clock for change times. */
const tickMs = 20

/**
 * Returns the footprint of a directory. First waits, for about 20 ms at most, until no change is so recent
 * that a later one could have the same time.
 */
export async function takeSettledFootprint(dir: string): Promise<FolderFootprint> {
  let newest = 0
  walkFolder(dir, '', (_, stat) => {
    newest = Math.max(newest, Number(stat.ctimeMs))
  })
  const age = Date.now() - newest
  if (age <= tickMs) await sleep(Math.min(tickMs, tickMs - age) + 1)
  return takeFootprint(dir)
}

/** Returns whether two footprints are equal. */
export function isSameFootprint(a: FolderFootprint, b: FolderFootprint): boolean {
  if (a.size !== b.size) return false
  for (const [path, sign] of a) if (b.get(path) !== sign) return false
  return true
}
