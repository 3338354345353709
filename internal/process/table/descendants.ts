// The search for all processes that a command has started, by group, session, parents and a marker
// in their environment.
import { monotonicNow } from '../../base/clock.ts'
import { codeOf } from '../../base/errors.ts'
import type { ProcessEntry } from '../../base/process-identity.ts'
import { carriesLimit, carriesMark, hasProc, lastPid, listPids, pidsBetween, readProcess } from './proc.ts'
import { listByPs } from './ps.ts'

/** The identity of a command whose processes are searched. Without `leader`, only the marker decides. */
export interface ProcessFamily {
  /** Text that the environment of each of its processes contains. */
  mark: string
  /** First digits of the limit of file locks that marks its processes, if it was set; see limit-mark.ts. */
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
  const found = await (hasProc() ? byProc(family) : findDescendantsByPs(family))
  for (const { pid, start } of found) family.known?.set(pid, start)
  return found
}

const isKnown = ({ known }: ProcessFamily, { pid, start }: { pid: number; start: number }) =>
  Math.abs((known?.get(pid) ?? Number.NaN) - start) <= 2

/**
 * Milliseconds after a start within which the system has not used all process ids, except during a fork bomb.
 * In this time, only ids above that of the leader are searched.
 */
const roundTripMs = 200

/** Largest number of searches for processes that appear during the search. The next call finds the rest. */
const maxRounds = 20

function byProc(family: ProcessFamily): FamilyProcess[] {
  const { mark, leader, limit } = family
  const seen = new Map<number, ProcessEntry & { ours: boolean }>()
  const visit = (ids: readonly number[]) => {
    for (const pid of ids) {
      const proc = pid === process.pid ? undefined : readProcess(pid)
      // A process that is older than the leader cannot descend from the leader, so it is skipped.
      if (!proc || proc.zombie || (leader?.start !== undefined && proc.start < leader.start)) continue
      const ours =
        related(proc, leader) ||
        isKnown(family, proc) ||
        carriesMark(pid, mark) ||
        (limit !== undefined && carriesLimit(pid, limit))
      seen.set(pid, { ...proc, ours })
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
  return close([...seen.values()], (proc) => proc.ours)
}

function related(
  proc: { pid: number; group: number; session?: number },
  leader: ProcessFamily['leader'],
): boolean {
  return leader !== undefined && (proc.group === leader.pid || proc.session === leader.pid)
}

/** Returns the living processes of the family by way of `ps`. */
export async function findDescendantsByPs(family: ProcessFamily): Promise<FamilyProcess[]> {
  const { mark, leader } = family
  const all = await listByPs().catch(() => undefined)
  // Without `ps`, only the leader itself can be checked.
  if (all === undefined)
    return leader && isThere(leader.pid)
      ? [{ pid: leader.pid, group: leader.pid, start: leader.start ?? 0 }]
      : []
  const rows = all.filter((row) => !row.zombie && row.pid !== process.pid)
  return close(rows, (row) => related(row, leader) || isKnown(family, row) || row.text.includes(mark))
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

interface Row extends FamilyProcess {
  parent: number
}

/** Returns the processes that `member` accepts, and all their descendants. */
function close<R extends Row>(all: readonly R[], member: (row: R) => boolean): FamilyProcess[] {
  const found = new Set(all.filter(member).map((row) => row.pid))
  for (let before = 0; before !== found.size && found.size > 0; ) {
    before = found.size
    for (const row of all) if (found.has(row.parent)) found.add(row.pid)
  }
  return all.filter((row) => found.has(row.pid)).map(({ pid, group, start }) => ({ pid, group, start }))
}
