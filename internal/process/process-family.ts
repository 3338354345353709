// Ends every process of a family: TERM, a grace, KILL, until a look finds none.
import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicNow } from '../base/clock.ts'
import { codeOf } from '../base/errors.ts'
import { type FamilyProcess, findDescendants, type ProcessFamily } from './table/descendants.ts'

/** Rounds of KILL before giving up on processes that the system does not let go of. */
const rounds = 50
/**
 * Looks that must find nobody once somebody was found: a process in the middle of an exec cannot be
 * recognised.
 */
const confirming = 3

/**
 * Sends TERM to what is alive, KILL to what is alive `graceMs` later and to all that appears after. Resolves
 * to how many processes it had to end, when nobody is left, at the latest some seconds after the grace.
 */
export async function killProcessFamily(wanted: ProcessFamily, graceMs: number): Promise<number> {
  const family = { ...wanted, known: wanted.known ?? new Map<number, number>() }
  const asked = new Set<number>()
  const deadline = monotonicNow() + graceMs
  let empty = 0
  for (let round = 0; round < rounds; ) {
    const alive = await findDescendants(family)
    if (alive.length === 0) {
      empty++
      if (asked.size === 0 || empty === confirming) break
      await sleep(empty)
      continue
    }
    empty = 0
    const late = monotonicNow() >= deadline
    if (late) round++
    if (late) killProcesses(alive)
    for (const { pid } of alive) {
      if (!late && !asked.has(pid)) terminateProcess(pid)
      asked.add(pid)
    }
    await sleep(pause(deadline, round))
  }
  return asked.size
}

/**
 * KILL to the groups of these processes, then to each. Only the signal to a group is one step for all of it:
 * who forks faster than we can look outruns any number of single ones. Every group in a family is a family's
 * own, because each child begins a session and groups do not reach across sessions.
 */
export function killProcesses(members: readonly Pick<FamilyProcess, 'pid' | 'group'>[]): void {
  for (const group of new Set(members.map((member) => member.group)))
    if (group > 1) signalProcess(-group, 'SIGKILL')
  for (const { pid } of members) signalProcess(pid, 'SIGKILL')
}

function pause(deadline: number, round: number): number {
  if (round > 0) return Math.min(5 * round, 100)
  return Math.max(1, Math.min(20, deadline - monotonicNow()))
}

/** TERM, and CONT behind it, because a stopped process does not see the first before the second. */
export function terminateProcess(pid: number): void {
  signalProcess(pid, 'SIGTERM')
  signalProcess(pid, 'SIGCONT')
}

/**
 * Sends a signal; false when nobody is there to receive it or it is not ours to send. A negative id means a
 * group.
 */
export function signalProcess(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    if (codeOf(error) === 'ESRCH' || codeOf(error) === 'EPERM') return false
    throw error
  }
}
