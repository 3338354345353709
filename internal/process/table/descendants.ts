// Finds everything that a command has started, wherever it went: group, session, parents and marker are
// looked at.
import { monotonicNow } from '../../base/clock.ts'
import { codeOf } from '../../base/errors.ts'
import type { ProcessEntry } from '../../base/process-stat.ts'
import { carriesLimit, carriesMark, hasProc, lastPid, listPids, pidsBetween, readProcess } from './proc.ts'
import { listByPs } from './ps.ts'

/** What is known of a command whose processes are looked for. Without `leader` the marker alone decides. */
export interface ProcessFamily {
  /** Text in the environment of all its processes. */
  mark: string
  /** Beginning of their limit of file locks, where they were started with one; see limit-mark.ts. */
  limit?: string | undefined
  /** The process that was started, leader of its own session and group. */
  leader?: { pid: number; start: number | undefined; at: number }
  /**
   * Who was found before, by id and start: they stay members when nothing but a parent that is gone told so.
   */
  known?: Map<number, number>
}

export interface FamilyProcess {
  pid: number
  group: number
  start: number
}

/**
 * Living processes of the family, the leader included. Misses one kind: a process that cleared its
 * environment, made its own session and lost its parents, all three. With `limit` it must have changed that
 * limit, too.
 */
export async function findDescendants(family: ProcessFamily): Promise<FamilyProcess[]> {
  const found = await (hasProc() ? byProc(family) : findDescendantsByPs(family))
  for (const { pid, start } of found) family.known?.set(pid, start)
  return found
}

const isKnown = ({ known }: ProcessFamily, { pid, start }: { pid: number; start: number }) =>
  Math.abs((known?.get(pid) ?? Number.NaN) - start) <= 2

/** A quick fork bomb aside, no system goes round its process ids within this time. */
const roundTripMs = 200

/**
 * More than this many rounds of processes appearing while we look: they will be there at the next look, too.
 */
const maxRounds = 20

function byProc(family: ProcessFamily): FamilyProcess[] {
  const { mark, leader, limit } = family
  const seen = new Map<number, ProcessEntry & { ours: boolean }>()
  const visit = (ids: readonly number[]) => {
    for (const pid of ids) {
      const proc = pid === process.pid ? undefined : readProcess(pid)
      // whatever is older than the leader cannot descend from it
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
  // one that was born and whose parent died while we looked would be missed: look on until nobody was born
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

/** The same by way of `ps`. */
export async function findDescendantsByPs(family: ProcessFamily): Promise<FamilyProcess[]> {
  const { mark, leader } = family
  const all = await listByPs().catch(() => undefined)
  // no way to look: what is left is to ask the leader itself whether it is there
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

/** The members and all children of members, to the last generation. */
function close<R extends Row>(all: readonly R[], member: (row: R) => boolean): FamilyProcess[] {
  const found = new Set(all.filter(member).map((row) => row.pid))
  for (let before = 0; before !== found.size && found.size > 0; ) {
    before = found.size
    for (const row of all) if (found.has(row.parent)) found.add(row.pid)
  }
  return all.filter((row) => found.has(row.pid)).map(({ pid, group, start }) => ({ pid, group, start }))
}
