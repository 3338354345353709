// The footprint of a folder: signs of every change to the files below it, without reading them.
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Path below the folder to everything the system notes of it; folders begin with `d`, all else with `f`. */
export type FolderFootprint = ReadonlyMap<string, string>

/**
 * What lies below `dir`: folders, files and links with everything that shows a change. The change time is
 * part of it because no program can set it back. Links are not followed.
 */
export function takeFootprint(dir: string): Map<string, string> {
  const found = new Map<string, string>()
  walk(dir, '', (path, stat) => {
    if (stat.isDirectory()) found.set(path, `d ${stat.mode}`)
    else found.set(path, `f ${stat.mode} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`)
  })
  return found
}

/**
 * Everything below a folder, the folder itself and its own folders as strictly as files; and when files were
 * read.
 */
interface StrictFootprint {
  /** `''` is the folder itself. */
  signs: Map<string, string>
  /** Last read and last change of each file, in seconds. */
  times: Map<string, { read: number; changed: number }>
}

/**
 * As `takeFootprint`, for a folder that nobody but us has a reason to touch: another folder in the place of
 * one, and one whose times or attributes were changed, count as changes too.
 */
export function takeStrictFootprint(dir: string): StrictFootprint {
  const signs = new Map<string, string>()
  const times: StrictFootprint['times'] = new Map()
  const note = (path: string, stat: Stat) => {
    const kind = stat.isDirectory() ? 'd' : 'f'
    const size = kind === 'd' ? '' : ` ${stat.size}`
    signs.set(path, `${kind} ${stat.mode} ${stat.dev} ${stat.ino}${size} ${stat.mtimeNs} ${stat.ctimeNs}`)
    if (kind === 'f')
      times.set(path, { read: Number(stat.atimeNs) / 1e9, changed: Number(stat.mtimeNs) / 1e9 })
  }
  const top = statOf(dir)
  if (top) note('', top)
  if (top?.isDirectory()) walk(dir, '', note)
  return { signs, times }
}

/** The first path that is not the same in both; undefined when all are. */
export function firstChange(before: FolderFootprint, now: FolderFootprint): string | undefined {
  for (const [path, sign] of before) if (now.get(path) !== sign) return path
  for (const path of now.keys()) if (!before.has(path)) return path
  return undefined
}

type Stat = NonNullable<ReturnType<typeof statOf>>
const statOf = (path: string) => lstatSync(path, { bigint: true, throwIfNoEntry: false })

function walk(dir: string, below: string, tell: (path: string, stat: Stat) => void): void {
  for (const { name } of readdirSync(join(dir, below), { withFileTypes: true })) {
    const path = below === '' ? name : `${below}/${name}`
    const stat = statOf(join(dir, path))
    if (!stat) continue
    tell(path, stat)
    if (stat.isDirectory()) walk(dir, path, tell)
  }
}

/** Longer than a tick of the clock that change times are taken from. */
const tickMs = 20

/** As `takeFootprint`, once no change is so young that a later one could carry the same time. */
export async function takeSettledFootprint(dir: string): Promise<FolderFootprint> {
  let newest = 0
  walk(dir, '', (_, stat) => {
    newest = Math.max(newest, Number(stat.ctimeMs))
  })
  const age = Date.now() - newest
  if (age <= tickMs) await sleep(Math.min(tickMs, tickMs - age) + 1)
  return takeFootprint(dir)
}

/** Whether nothing has changed between two looks. */
export function isSameFootprint(a: FolderFootprint, b: FolderFootprint): boolean {
  if (a.size !== b.size) return false
  for (const [path, sign] of a) if (b.get(path) !== sign) return false
  return true
}
