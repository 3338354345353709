// The directory of one running Anode under `<data>/run/`; its name says whose it is and whether that one
// still lives.
import { lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { codeOf, FailureError } from '../base/errors.ts'
import { makeDirectory } from '../base/files/make-directory.ts'
import { makeDataDirectoryError } from '../base/files/own-directories.ts'
import { temporaryDir } from '../base/files/temporary-dir.ts'
import { createUlid } from '../base/ids.ts'
import { pidNamespace } from '../base/process-stat.ts'
import { readProcess } from './table/proc.ts'

/** Read from a name `<pid>.<start>.<host>.<id>`. */
export interface RunIdentity {
  pid: number
  /** Start time of the process, see `processStartTime`. */
  start: number
  /** Machine and process-id space; ids of another one mean nothing here. */
  host: string
  /** The marker that all children of that process carry. */
  id: string
}

export const runDir = (dataDir: string): string => join(dataDir, 'run')

/** This process as a place, under a fresh id. */
export function ownRunIdentity(): RunIdentity {
  const start = processStartTime(process.pid) ?? Math.floor(performance.timeOrigin / 1000)
  return { pid: process.pid, start, host: hostIdentity(), id: createUlid() }
}

/**
 * Clock ticks since boot, from /proc; undefined where there is none: seconds since 1970 are then used
 * instead.
 */
export function processStartTime(pid: number): number | undefined {
  return readProcess(pid)?.start
}

export const runName = (place: RunIdentity): string => `${place.pid}.${place.start}.${place.host}.${place.id}`

export function parseRunName(name: string): RunIdentity | undefined {
  const match = /^(\d+)\.(\d+)\.([\w-]+)\.([0-9A-Z]{26})$/.exec(name)
  if (!match) return undefined
  const [, pid, start, host = '', id = ''] = match
  return { pid: Number(pid), start: Number(start), host, id }
}

/** Makes the directory, mode 0700. Throws UserError where that cannot be. */
export function makeRunDirectory(dataDir: string, place: RunIdentity): string {
  const directory = join(runDir(dataDir), runName(place))
  try {
    makeDirectory(directory, 0o700)
  } catch (error) {
    throw makeDataDirectoryError(dataDir, error)
  }
  return directory
}

/** Machine and process-id space in one word. */
export function hostIdentity(): string {
  return `${hostname()
    .replace(/[^\w-]/g, '_')
    .slice(0, 40)}-${pidNamespace()}`
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

/** In the directory of a run: a link to its folder for temporary files, by which that is found later. */
const temporaryLink = 'temporary'

/**
 * Makes the folder for temporary files, mode 0700, and notes it in the directory of its run. Undefined where
 * there is no place for one. Throws FailureError `denied` when somebody else has made it.
 */
export function makeTemporaryDirectory(directory: string): string | undefined {
  const path = temporaryDir()
  if (path === undefined) return undefined
  ignoreExisting(() => symlinkSync(path, join(directory, temporaryLink)))
  ignoreExisting(() => mkdirSync(path, { mode: 0o700 }))
  if (!isOwnDirectory(path)) throw new FailureError({ code: 'denied', message: `${path} belongs to another` })
  return path
}

/** Removes the folder for temporary files that a run, living or dead, has noted. Never throws. */
export function removeTemporaryDirectory(directory: string): void {
  try {
    const path = readlinkSync(join(directory, temporaryLink))
    const isOurs = /^anode-[\dA-Z]{26}$/.test(basename(path)) && isOwnDirectory(path)
    if (isOurs) rmSync(path, { recursive: true, force: true })
  } catch {
    // none was made, or it is gone
  }
}

function isOwnDirectory(path: string): boolean {
  const stat = lstatSync(path)
  return stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o077) === 0
}

function ignoreExisting(make: () => void): void {
  try {
    make()
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}
