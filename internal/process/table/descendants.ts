// The search for all processes that a command has started, by group, session, parents and a marker
// in their environment, in /proc or in the table of the system.

import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { codeOf } from '../../base/errors.ts'
import { type ProcessEntry, parseProcessStat } from '../../base/process-identity.ts'
import { monotonicNow } from '../../base/time-limit.ts'
import { listByPs } from './ps.ts'

/**
 * The identity of a command whose processes are searched. Without `leader`, only the marks and
 * earlier searches decide.
 */
export interface ProcessFamily {
  /** Text that the environment of each of its processes contains. */
  mark: string
  /**
   * First digits of the limit of file locks that marks its processes, if it was set; see
   * `limitMarkOf` in dead-runs.ts.
   */
  limit?: string | undefined
  /** The process that was started. It leads its own session and process group. */
  leader?: { pid: number; start: number | undefined; at: number }
  /**
   * Processes that earlier searches found, as start times by id. They stay members even if the parent that
   * connected them has ended.
   */
  known?: Map<number, number>
}

export interface FamilyProcess {
  pid: number
  group: number
  start: number
}

/**
 * Returns the living processes of the family, including the leader, and adds them to `known`. It misses a
 * process that cleared its environment, created its own session and lost its parents. With `limit`, that
 * process must have changed the limit as well.
 */
export async function findDescendants(family: ProcessFamily): Promise<FamilyProcess[]> {
  const descendants = await (hasProc() ? byProc(family) : findDescendantsByPs(family))
  for (const { pid, start } of descendants) family.known?.set(pid, start)
  return descendants
}

const isKnown = ({ known: startTimes }: ProcessFamily, { pid, start }: { pid: number; start: number }) =>
  Math.abs((startTimes?.get(pid) ?? Number.NaN) - start) <= 2

/**
 * Milliseconds after a start within which the system has not used all process ids, except during a fork bomb.
 * In this time, only ids above that of the leader are searched.
 */
const roundTripMs = 200

/** Largest number of searches for processes that appear during the search. The next call finds the rest. */
const maxRounds = 20

function byProc(family: ProcessFamily): FamilyProcess[] {
  const { mark, leader, limit } = family
  const processes = new Map<number, ProcessEntry & { ours: boolean }>()
  const visit = (ids: readonly number[]) => {
    for (const pid of ids) {
      const proc = pid === process.pid ? undefined : readProcess(pid)
      // A process that is older than the leader cannot descend from the leader, so it is skipped.
      if (!proc || proc.zombie || (leader?.start !== undefined && proc.start < leader.start)) continue
      const ours =
        isRelated(proc, leader) ||
        isKnown(family, proc) ||
        carriesMark(pid, mark) ||
        (limit !== undefined && carriesLimit(pid, limit))
      processes.set(pid, { ...proc, ours })
    }
  }
  let last = lastPid()
  const young = leader && monotonicNow() - leader.at < roundTripMs
  const recent = young ? pidsBetween(leader.pid, last) : undefined
  visit(recent && leader ? [leader.pid, ...recent] : listPids())
  // a process that was born during the search and whose parent died would be missed, so the search repeats
  // until none is born
  for (let i = 0; i < maxRounds && last !== undefined; i++) {
    const newest = lastPid()
    if (newest === last) break
    visit(pidsBetween(last, newest) ?? listPids())
    last = newest
  }
  return collectFamily([...processes.values()], (proc) => proc.ours)
}

function isRelated(
  proc: { pid: number; group: number; session?: number },
  leader: ProcessFamily['leader'],
): boolean {
  return leader !== undefined && (proc.group === leader.pid || proc.session === leader.pid)
}

/** Returns the living processes of the family by way of `ps`; without `ps`, at most the leader. */
export async function findDescendantsByPs(family: ProcessFamily): Promise<FamilyProcess[]> {
  const { mark, leader } = family
  const all = await listByPs().catch(() => undefined)
  // Without `ps`, only the leader itself can be checked.
  if (all === undefined)
    return leader && isThere(leader.pid)
      ? [{ pid: leader.pid, group: leader.pid, start: leader.start ?? 0 }]
      : []
  const rows = all.filter((row) => !row.zombie && row.pid !== process.pid)
  return collectFamily(
    rows,
    (row) => isRelated(row, leader) || isKnown(family, row) || row.text.includes(mark),
  )
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

interface ProcessRow extends FamilyProcess {
  parent: number
}

/** Returns the processes that `member` accepts, and all their descendants. */
function collectFamily<R extends ProcessRow>(
  all: readonly R[],
  member: (row: R) => boolean,
): FamilyProcess[] {
  const pids = new Set(all.filter(member).map((row) => row.pid))
  for (let before = 0; before !== pids.size && pids.size > 0; ) {
    before = pids.size
    for (const row of all) if (pids.has(row.parent)) pids.add(row.pid)
  }
  return all.filter((row) => pids.has(row.pid)).map(({ pid, group, start }) => ({ pid, group, start }))
}

/** Returns true if this system has its process table in /proc. */
export function hasProc(): boolean {
  return existsSync('/proc/self/stat')
}

/**
 * Returns one process, also one that has ended but is still in the table (a zombie); undefined if it is not
 * in the table.
 */
export function readProcess(pid: number | 'self'): ProcessEntry | undefined {
  return parseProcessStat(readStart(`/proc/${pid}/stat`)?.toString('latin1') ?? '')
}

/**
 * Returns the first 64 KiB of the arguments of a process, separated by spaces. Empty if the process does not
 * exist or has ended.
 */
export function readCommandLine(pid: number): string {
  return (readStart(`/proc/${pid}/cmdline`)?.toString('latin1') ?? '').replaceAll('\0', ' ')
}

/** Returns all process ids. */
export function listPids(): number[] {
  return readdirSync('/proc').flatMap((name) => {
    const first = name.charCodeAt(0)
    return first >= 0x30 && first <= 0x39 ? [Number(name)] : []
  })
}

/** Returns the id that the system assigned last; undefined if the system does not report it. */
export function lastPid(): number | undefined {
  const text = readStart('/proc/sys/kernel/ns_last_pid')?.toString('latin1')
  return text === undefined ? undefined : Number.parseInt(text, 10)
}

/**
 * Returns the ids after `first` up to `last`; undefined if they are more than `maxCount`, and if `last` is
 * unknown or lower than `first`. The result is correct only while the counter cannot have wrapped around.
 */
export function pidsBetween(first: number, last: number | undefined, maxCount = 256): number[] | undefined {
  if (last === undefined || last < first || last - first > maxCount) return undefined
  return Array.from({ length: last - first }, (_, i) => first + 1 + i)
}

/**
 * Returns true if the process was started with `mark` in its environment; false if the environment
 * cannot be read.
 */
export function carriesMark(pid: number, mark: string): boolean {
  const start = readStart(`/proc/${pid}/environ`)
  if (!start) return false
  if (start.includes(mark)) return true
  if (start.length < size) return false
  try {
    return readFileSync(`/proc/${pid}/environ`).includes(mark)
  } catch {
    return false
  }
}

/** Returns true if the limit of file locks begins with `digits`; see `limitMarkOf` in dead-runs.ts. */
function carriesLimit(pid: number, digits: string): boolean {
  const text = readStart(`/proc/${pid}/limits`)?.toString('latin1')
  return text !== undefined && /^Max file locks +(\d+)/m.exec(text)?.[1]?.startsWith(digits) === true
}

const size = 64 * 1024
let buffer: Buffer | undefined

/** Returns the first 64 KiB of a file in /proc, valid until the next call; undefined if it cannot be read. */
function readStart(path: string): Buffer | undefined {
  buffer ??= Buffer.allocUnsafeSlow(size)
  let fd: number | undefined
  try {
    fd = openSync(path, 'r')
    let length = 0
    for (let got = -1; got !== 0 && length < size; length += got)
      got = readSync(fd, buffer, length, size - length, null)
    return buffer.subarray(0, length)
  } catch {
    // The process has ended, or its file in /proc is not readable. In both cases it counts as missing.
    return undefined
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}
