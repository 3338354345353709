// The end of every process of a family: TERM, a grace period, then KILL until a search finds no process.
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../base/errors.ts'
import { monotonicNow } from '../base/time-limit.ts'
import { type FamilyProcess, findDescendants, type ProcessFamily } from './table/descendants.ts'

/**
 * Largest number of times that KILL is sent to all living processes. Then the search ends, because the system
 * does not end them.
 */
const rounds = 50
/**
 * Number of empty searches that confirm the end after processes were found. A process in the middle of an
 * exec cannot be recognized.
 */
const confirming = 3

/** Longest time in milliseconds until KILL, counted from the moment at which the user asks to leave. */
const hurriedMs = 600

/** Request to end all children sooner, because the user wants to leave Anode. */
export class ChildHaste {
  #since: number | undefined

  /** Shortens the time that all children have to end, also of those that were asked to end before. */
  hurry(): void {
    this.#since ??= monotonicNow()
  }

  /** Returns the milliseconds until `deadline`, or fewer if the end was hurried. At least 0. */
  left(deadline: number): number {
    const end = this.#since === undefined ? deadline : Math.min(deadline, this.#since + hurriedMs)
    return Math.max(0, end - monotonicNow())
  }
}

/**
 * Sends TERM to the living processes. After `graceMs`, which `haste` may shorten, sends KILL to those that
 * still live and to all later ones. Resolves to the number of processes that it had to end, when none is left
 * or at the latest some seconds after the grace period.
 */
export async function killProcessFamily(
  targetFamily: ProcessFamily,
  graceMs: number,
  haste?: ChildHaste,
): Promise<number> {
  const family = { ...targetFamily, known: targetFamily.known ?? new Map<number, number>() }
  const askedPids = new Set<number>()
  const deadline = monotonicNow() + graceMs
  const remainingMs = () => haste?.left(deadline) ?? deadline - monotonicNow()
  let empty = 0
  for (let round = 0; round < rounds; ) {
    const alive = await findDescendants(family)
    if (alive.length === 0) {
      empty++
      if (askedPids.size === 0 || empty === confirming) break
      await sleep(empty)
      continue
    }
    empty = 0
    const late = remainingMs() <= 0
    if (late) round++
    if (late) killProcesses(alive)
    for (const { pid } of alive) {
      if (!late && !askedPids.has(pid)) terminateProcess(pid)
      askedPids.add(pid)
    }
    await sleep(toPauseMs(remainingMs(), round))
  }
  return askedPids.size
}

/**
 * Sends KILL to the process groups of these processes, then to each process. Only the signal to a group
 * reaches all of it at once: a process that forks faster than a search would escape single signals. Every
 * group here belongs to the family, because each child begins a session and groups do not cross sessions.
 */
export function killProcesses(members: readonly Pick<FamilyProcess, 'pid' | 'group'>[]): void {
  for (const group of new Set(members.map((member) => member.group)))
    if (group > 1) signalProcess(-group, 'SIGKILL')
  for (const { pid } of members) signalProcess(pid, 'SIGKILL')
}

function toPauseMs(leftMs: number, round: number): number {
  if (round > 0) return Math.min(5 * round, 100)
  return Math.max(1, Math.min(20, leftMs))
}

/** Sends TERM and then CONT, because a stopped process receives TERM only when it continues. */
export function terminateProcess(pid: number): void {
  signalProcess(pid, 'SIGTERM')
  signalProcess(pid, 'SIGCONT')
}

/**
 * Sends a signal. Returns false if no process receives it or permission is missing. A negative id
 * means a group.
 */
export function signalProcess(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    if (codeOf(error) === 'ESRCH' || codeOf(error) === 'EPERM') return false
    throw error
  }
}
