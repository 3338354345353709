// The cleanup of processes and directories that a dead Anode left, and the mark in a resource limit by which
// they are found. If no other Anode runs or has left any, the cleanup only reads one empty directory.
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { codeOf } from '../base/errors.ts'
import { isRunnable } from '../base/files/open-file.ts'
import { removeLeftStubs } from './left-stubs.ts'
import type { SpawnPlan } from './process-command.ts'
import { killProcessFamily, signalProcess } from './process-family.ts'
import {
  hostIdentity,
  parseChild,
  parseRunName,
  type RunIdentity,
  removeTemporaryDirectory,
  runDir,
} from './run-directory.ts'
import { hasProc, readProcess } from './table/descendants.ts'
import { listByPs } from './table/ps.ts'

/**
 * The result of a cleanup: the number of dead Anode processes whose directories were removed, and the number
 * of their children that were ended.
 */
interface CleanUpResult {
  runs: number
  processes: number
}

const foreignMs = 7 * 24 * 3600 * 1000
const graceMs = 300

/**
 * Cleans up after dead Anode processes. Identifies a process by id and start time, so that another process
 * with a reused id is left alone. Another Anode may clean up at the same time. Directories of other machines
 * on the same disk are left until they are unchanged for a week.
 */
export async function cleanUpDeadProcesses(dataDir: string): Promise<CleanUpResult> {
  const base = runDir(dataDir)
  const reaped: CleanUpResult = { runs: 0, processes: 0 }
  for (const name of listNames(base)) {
    const place = parseRunName(name)
    const directory = join(base, name)
    if (!place || (await isStillNeeded(place, directory))) continue
    reaped.runs++
    for (const child of listNames(directory)) if (await killNoted(parseChild(child))) reaped.processes++
    const mark = `${place.id}.`
    reaped.processes += await killProcessFamily({ mark, limit: limitMarkOf(mark) }, graceMs)
    if (listNames(directory).some((name) => name.startsWith('stubs.'))) removeLeftStubs(directory)
    removeTemporaryDirectory(directory)
    rmSync(directory, { recursive: true, force: true })
  }
  return reaped
}

function listNames(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return []
    throw error
  }
}

/** Returns true if the Anode that owns the directory may still need it. */
async function isStillNeeded(place: RunIdentity, directory: string): Promise<boolean> {
  if (place.host !== hostIdentity()) {
    const changed = statSync(directory, { throwIfNoEntry: false })?.mtimeMs
    return changed !== undefined && Date.now() - changed < foreignMs
  }
  return isAlive(place.pid, place.start)
}

async function isAlive(pid: number, start: number): Promise<boolean> {
  if (hasProc()) {
    const proc = readProcess(pid)
    return proc !== undefined && !proc.zombie && proc.start === start
  }
  const row = (await listByPs()).find((one) => one.pid === pid)
  return row !== undefined && !row.zombie && Math.abs(row.start - start) <= 2
}

/** Kills a recorded child with its group, if the child is still the same process. Returns true if it did. */
async function killNoted(child: { pid: number; start: number } | undefined): Promise<boolean> {
  if (!child || !(await isAlive(child.pid, child.start))) return false
  // the signal to the group may have ended the child, and its parent may have reaped it, before
  // the second signal
  const group = signalProcess(-child.pid, 'SIGKILL')
  return signalProcess(child.pid, 'SIGKILL') || group
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const runDigits = 12
const childDigits = 6

/**
 * Returns the digits for a mark `ID.` or `ID.N.` of a ChildOwner; undefined for other texts. The digits of
 * `ID.` are a prefix of those of `ID.N.`.
 */
export function limitMarkOf(mark: string): string | undefined {
  const [, id, number] = /^([0-9A-Z]{26})\.(?:(\d+)\.)?$/.exec(mark) ?? []
  if (id === undefined) return undefined
  const digits = [...id].map((char) => BigInt(Math.max(0, alphabet.indexOf(char))))
  const value = digits.reduce((sum, digit) => sum * 32n + digit, 0n)
  const least = 10n ** BigInt(runDigits - 1)
  const run = least + (value % (9n * least))
  return `${run}${number === undefined ? '' : number.slice(-childDigits).padStart(childDigits, '0')}`
}

/**
 * Returns a plan by which `prlimit` starts the program with the digits of `mark` (`limit`) as its limit of
 * file locks, which Linux does not enforce. Undefined if that is not possible.
 */
export function withLimitMark(plan: SpawnPlan, mark: string): { plan: SpawnPlan; limit: string } | undefined {
  const limit = limitMarkOf(mark)
  const program = findPrlimit()
  if (limit === undefined || program === undefined || !canStart(plan)) return undefined
  const args = [`--locks=${limit}:`, '--', plan.file, ...plan.args]
  return { plan: { ...plan, file: program, args }, limit }
}

let prlimit: { path: string | undefined } | undefined

function findPrlimit(): string | undefined {
  prlimit ??= { path: isRaisable() ? ['/usr/bin/prlimit', '/bin/prlimit'].find(isRunnable) : undefined }
  return prlimit.path
}

/**
 * Returns true if the hard limit of file locks is `unlimited`, so that any digits can be set. A lower limit
 * cannot be raised.
 */
function isRaisable(): boolean {
  try {
    return /^Max file locks +\S+ +unlimited/m.test(readFileSync('/proc/self/limits', 'utf8'))
  } catch {
    return false
  }
}

/**
 * Returns false if the program is missing. The program is then started without `prlimit`, so that the error
 * is its own.
 */
function canStart({ file, cwd, env }: SpawnPlan): boolean {
  if (file.includes('/')) return isRunnable(resolve(cwd, file))
  const directories = (env.PATH ?? '/usr/bin:/bin').split(':')
  return directories.some((dir) => isRunnable(resolve(cwd, dir, file)))
}
