// Finds everything that a command has started, wherever it went: group, session, parents and marker are looked at.
import { codeOf } from '../base/errors.ts'
import { carries, hasProc, lookUp, type Proc, pids, pidsAfter } from './proc.ts'
import { list } from './ps.ts'

/** What is known of a command whose processes are looked for. Without `leader` the marker alone decides. */
export interface Family {
  /** Text in the environment of all its processes. */
  mark: string
  /** The process that was started, leader of its own session and group. */
  leader?: { pid: number; start: number | undefined; at: number }
}

/**
 * Ids of living processes of the family, the leader included. Misses one kind: a process that cleared its
 * environment, made its own session and lost its parents, all three; only a sandbox holds that one.
 */
export async function descendants(family: Family): Promise<number[]> {
  return hasProc() ? byProc(family) : byPs(family)
}

/** A quick fork bomb aside, no system goes round its process ids within this time. */
const roundTripMs = 200

function byProc({ mark, leader }: Family): number[] {
  const recent = leader && performance.now() - leader.at < roundTripMs ? pidsAfter(leader.pid) : undefined
  const candidates: Proc[] = []
  for (const pid of recent && leader ? [leader.pid, ...recent] : pids()) {
    const proc = pid === process.pid ? undefined : lookUp(pid)
    // whatever is older than the leader cannot descend from it
    if (proc && !proc.zombie && !(leader?.start !== undefined && proc.start < leader.start))
      candidates.push(proc)
  }
  return close(candidates, (proc) => related(proc, leader) || carries(proc.pid, mark))
}

function related(proc: { pid: number; group: number; session?: number }, leader: Family['leader']): boolean {
  return leader !== undefined && (proc.group === leader.pid || proc.session === leader.pid)
}

async function byPs({ mark, leader }: Family): Promise<number[]> {
  const all = await list().catch(() => undefined)
  // no way to look: what is left is to ask the leader itself whether it is there
  if (all === undefined) return leader && isThere(leader.pid) ? [leader.pid] : []
  const rows = all.filter((row) => !row.zombie && row.pid !== process.pid)
  return close(rows, (row) => related(row, leader) || row.text.includes(mark))
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** The members and all children of members, to the last generation. */
function close<P extends { pid: number; parent: number }>(
  all: readonly P[],
  member: (proc: P) => boolean,
): number[] {
  const found = new Set(all.filter(member).map((proc) => proc.pid))
  for (let before = 0; before !== found.size && found.size > 0; ) {
    before = found.size
    for (const proc of all) if (found.has(proc.parent)) found.add(proc.pid)
  }
  return [...found]
}
