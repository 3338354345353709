// The directory of one running Anode under `<data>/run/`; its name says whose it is and whether that one still lives.
import { mkdirSync, readlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { codeOf } from '../base/errors.ts'
import { ulid } from '../base/ids.ts'
import { lookUp } from './proc.ts'

/** Read from a name `<pid>.<start>.<host>.<id>`. */
export interface Place {
  pid: number
  /** Start time of the process, see `startOf`. */
  start: number
  /** Machine and process-id space; ids of another one mean nothing here. */
  host: string
  /** The marker that all children of that process carry. */
  id: string
}

export const runDir = (dataDir: string): string => join(dataDir, 'run')

/** This process as a place, under a fresh id. */
export function placeHere(): Place {
  const start = startOf(process.pid) ?? Math.floor(performance.timeOrigin / 1000)
  return { pid: process.pid, start, host: hostHere(), id: ulid() }
}

/** Clock ticks since boot, from /proc; undefined where there is none: seconds since 1970 are then used instead. */
export function startOf(pid: number): number | undefined {
  return lookUp(pid)?.start
}

export const nameOf = (place: Place): string => `${place.pid}.${place.start}.${place.host}.${place.id}`

export function parsePlace(name: string): Place | undefined {
  const match = /^(\d+)\.(\d+)\.([\w-]+)\.([0-9A-Z]{26})$/.exec(name)
  if (!match) return undefined
  const [, pid, start, host = '', id = ''] = match
  return { pid: Number(pid), start: Number(start), host, id }
}

/** Makes the directory, mode 0700. */
export function makePlace(dataDir: string, place: Place): string {
  const directory = join(runDir(dataDir), nameOf(place))
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  return directory
}

/** Machine and process-id space in one word. */
export function hostHere(): string {
  return `${hostname()
    .replace(/[^\w-]/g, '_')
    .slice(0, 40)}-${namespace().replace(/\D/g, '')}`
}

function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return ''
  }
}

const childName = /^child\.(\d+)\.(\d+)$/

/** Notes a child as an empty file: made and removed in one step each, never half written. */
export function noteChild(directory: string, pid: number, start: number): () => void {
  const file = join(directory, `child.${pid}.${start}`)
  writeFileSync(file, '')
  return () => {
    try {
      // rmSync would load a module of Node's for this one file
      unlinkSync(file)
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error
    }
  }
}

/** A child noted under this name, or undefined for other files. */
export function parseChild(name: string): { pid: number; start: number } | undefined {
  const match = childName.exec(name)
  return match ? { pid: Number(match[1]), start: Number(match[2]) } : undefined
}
