// The directory of one running Anode under `<data>/run/`, whose name identifies the owner and shows whether
// it still runs.
import { lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { codeOf, FailureError } from '../base/errors.ts'
import { makeDirectory } from '../base/files/make-directory.ts'
import { makeDataDirectoryError } from '../base/files/own-directories.ts'
import { temporaryDir } from '../base/files/temporary-dir.ts'
import { createUlid } from '../base/ids.ts'
import { pidNamespace } from '../base/process-identity.ts'
import { readProcess } from './table/descendants.ts'

/** The owner of a directory, read from its name `<pid>.<start>.<host>.<id>`. */
export interface RunIdentity {
  pid: number
  /** Start time of the process; see `processStartTime`. */
  start: number
  /**
   * Identity of the machine and of its namespace for process ids. On another machine or in another namespace,
   * the recorded process ids have no meaning.
   */
  host: string
  /** The id with which the marker of each child of that process begins. */
  id: string
}

export const runDir = (dataDir: string): string => join(dataDir, 'run')

/** Returns the identity of this process, with a new id. */
export function ownRunIdentity(): RunIdentity {
  const start = processStartTime(process.pid) ?? Math.floor(performance.timeOrigin / 1000)
  return { pid: process.pid, start, host: hostIdentity(), id: createUlid() }
}

/**
 * Returns the start time of a process in clock ticks since boot; undefined for an ended process and without
 * /proc, where callers use seconds since 1970.
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

/**
 * Creates the directory of an Anode process below `<data>/run/` with mode 0700 and returns its path. Throws
 * UserError if that fails.
 */
export function makeRunDirectory(dataDir: string, place: RunIdentity): string {
  const directory = join(runDir(dataDir), runName(place))
  try {
    makeDirectory(directory, 0o700)
  } catch (error) {
    throw makeDataDirectoryError(dataDir, error)
  }
  return directory
}

/** Returns the name of the machine and the id of its namespace for process ids, joined to one word. */
export function hostIdentity(): string {
  return `${hostname()
    .replace(/[^\w-]/g, '_')
    .slice(0, 40)}-${pidNamespace()}`
}

const childName = /^child\.(\d+)\.(\d+)$/

/**
 * Records a child as an empty file, and returns a function that removes the file. Each happens in one step,
 * so a record is never half written.
 */
export function noteChild(directory: string, pid: number, start: number): () => void {
  const file = join(directory, `child.${pid}.${start}`)
  writeFileSync(file, '')
  return () => {
    try {
      // `rmSync` would load another module of Node only for this file.
      unlinkSync(file)
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error
    }
  }
}

/** Returns the child that was recorded under this name; undefined for other files. */
export function parseChild(name: string): { pid: number; start: number } | undefined {
  const match = childName.exec(name)
  return match ? { pid: Number(match[1]), start: Number(match[2]) } : undefined
}

/** Name of a link in the directory of an Anode process, which leads to its directory for temporary files. */
const temporaryLink = 'temporary'

/**
 * Creates the directory for temporary files with mode 0700, and records it in the directory of this Anode
 * process. Returns undefined if the system has no temporary directory. Throws FailureError `denied` if
 * the path is not a directory that only this user owns and can access, and an error of the system if it
 * cannot be created.
 */
export function makeTemporaryDirectory(directory: string): string | undefined {
  const path = temporaryDir()
  if (path === undefined) return undefined
  ignoreExisting(() => symlinkSync(path, join(directory, temporaryLink)))
  ignoreExisting(() => mkdirSync(path, { mode: 0o700 }))
  if (!isOwnDirectory(path)) throw new FailureError({ code: 'denied', message: `${path} belongs to another` })
  return path
}

/**
 * Removes the directory for temporary files that an Anode process, alive or dead, has recorded. Never throws.
 */
export function removeTemporaryDirectory(directory: string): void {
  try {
    const path = readlinkSync(join(directory, temporaryLink))
    const isOurs = /^anode-[\dA-Z]{26}$/.test(basename(path)) && isOwnDirectory(path)
    if (isOurs) rmSync(path, { recursive: true, force: true })
  } catch {
    // it was not created, or it is already removed
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
