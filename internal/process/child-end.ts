// The end of a child: a request to exit, a kill, and the end of everything that it started.
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicNow, waitAtMost } from '../base/time-limit.ts'
import type { StartedChild } from './child-start.ts'
import {
  type ChildHaste,
  killProcesses,
  killProcessFamily,
  signalProcess,
  terminateProcess,
} from './process-family.ts'
import { findDescendants, type ProcessFamily } from './table/descendants.ts'

/** Milliseconds between TERM and KILL, unless a caller sets another time. */
const usualGraceMs = 2000
/**
 * Milliseconds without output after which reading ends once the child has exited. This is long enough for a
 * helper process such as `tee`, which may still pass on the last output.
 */
const drainMs = 100
/**
 * Milliseconds after which reading ends although output still arrives, counted from its begin after the exit.
 * Output that the child left in the pipes needs far less.
 */
const floodMs = 2000
/**
 * Milliseconds between TERM and KILL for processes that a command left running although it exited by itself.
 */
const leftGraceMs = 200
/** Longest wait after KILL in milliseconds. A process that survives this long is blocked in the system. */
const lostMs = 5000

/**
 * Milliseconds between two checks of the remaining time, which becomes shorter if the user
 * leaves Anode meanwhile.
 */
const lookMs = 50

export type ChildExit = Awaited<StartedChild['exited']>

interface EndOptions {
  graceMs?: number
  haste: ChildHaste
  /** True if the child also gets a hang-up of its terminal, because interactive shells ignore TERM. */
  hangsUp?: boolean
}

/** Number of processes of the sandbox program itself: one outside that watches, and the first one inside. */
const sandboxProcesses = 2

/**
 * Sends TERM to the child and all processes that it started (its family); for a sandbox, only to those
 * inside. If the child has not exited after `graceMs`, which `haste` (the user leaves Anode) may shorten,
 * sends KILL to all that are left. Resolves to the child's exit; to an exit by SIGKILL if it has not ended 5
 * seconds after KILL.
 */
export async function endChild(
  child: Pick<StartedChild, 'pid' | 'family' | 'sandbox' | 'exited'>,
  { graceMs = usualGraceMs, haste, hangsUp = false }: EndOptions,
): Promise<ChildExit> {
  const deadline = monotonicNow() + graceMs
  const early =
    (await askFamily(child, deadline, hangsUp)) ?? (await awaitExit(child.exited, () => haste.left(deadline)))
  if (early) return early
  signalProcess(-child.pid, 'SIGKILL')
  killProcesses(await findDescendants(child.family))
  return (await waitWithin(child.exited, lostMs)) ?? { exit: null, signal: 'SIGKILL' }
}

/** Resolves to the exit of the child, or to undefined when no time is left. */
async function awaitExit(
  exited: Promise<ChildExit>,
  remainingMs: () => number,
): Promise<ChildExit | undefined> {
  for (;;) {
    const exit = await waitWithin(exited, Math.min(remainingMs(), lookMs))
    if (exit || remainingMs() === 0) return exit
  }
}

/**
 * Sends TERM to the processes of the family. While a sandbox is still being built, repeats that
 * until its command exists or `deadline` has passed. Resolves to the exit if the child ends
 * meanwhile, else to undefined.
 */
async function askFamily(
  { pid: leader, family, sandbox, exited }: Parameters<typeof endChild>[0],
  deadline: number,
  hangsUp: boolean,
): Promise<ChildExit | undefined> {
  // A sandbox that gets TERM kills its processes at once, before they can clean up, so TERM goes only to
  // the processes inside.
  const isInside = sandbox?.statusFile !== undefined
  if (!isInside) {
    signalProcess(-leader, 'SIGTERM')
    signalProcess(-leader, 'SIGCONT')
  }
  for (let pause = 2; ; pause *= 2) {
    const members = await findDescendants(family)
    for (const { pid } of members) {
      if (pid !== leader) terminateProcess(pid)
      if (hangsUp && !(isInside && pid === leader)) signalProcess(pid, 'SIGHUP')
    }
    // While the sandbox is being built, the command does not exist yet, so TERM is sent again.
    const remainingMs = deadline - monotonicNow()
    if (!isInside || members.length > sandboxProcesses || remainingMs <= 0) return undefined
    const early = await waitWithin(exited, Math.min(pause, remainingMs))
    if (early) return early
  }
}

/**
 * Reads the rest of the pipes, ends living descendants and closes the pipes. Call it after the exit.
 * `termSentAt` is the time at which TERM was sent; undefined if the child exited by itself. In that case,
 * `childless` (the program starts no others) skips the search for descendants. Resolves to the number of
 * ended descendants, and whether output is missing.
 */
export async function cleanUpChild(
  child: StartedChild,
  termSentAt: number | undefined,
  haste: ChildHaste,
  childless = false,
): Promise<{ leaked: number; torn: boolean }> {
  let whole = await drainPipes(child)
  const leaked =
    childless && termSentAt === undefined ? 0 : await endDescendants(child.family, termSentAt, haste)
  if (!whole && leaked > 0) whole = await drainPipes(child)
  child.stdout.destroy()
  child.stderr.destroy()
  child.done()
  return { leaked, torn: !whole }
}

/**
 * Reads until no output arrives for 100 milliseconds, or for about two seconds. Resolves to true if
 * both streams closed.
 */
async function drainPipes({ stdout, stderr }: StartedChild): Promise<boolean> {
  const closed = Promise.all([waitForClose(stdout), waitForClose(stderr)]).then(() => true)
  const read = () => (stdout as Socket).bytesRead + (stderr as Socket).bytesRead
  const until = monotonicNow() + floodMs
  for (;;) {
    const before = read()
    if (await waitWithin(closed, drainMs)) return true
    if (read() === before || monotonicNow() > until) return false
  }
}

/**
 * Ends the living processes of a family whose leader has exited. `termSentAt` is the time of TERM, if it was
 * sent. Resolves to their number.
 */
export async function endDescendants(
  family: ProcessFamily,
  termSentAt: number | undefined,
  haste: ChildHaste,
): Promise<number> {
  // A process that has closed its output may be about to exit; it gets a moment before it counts
  // as left running.
  for (let i = 0; i < 5 && (await findDescendants(family)).length > 0; i++) await sleep(i)
  const grace =
    termSentAt === undefined ? leftGraceMs : Math.max(0, termSentAt + usualGraceMs - monotonicNow())
  return killProcessFamily(family, grace, haste)
}

function waitForClose(stream: Readable): Promise<unknown> {
  if (stream.closed || stream.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    stream.once('close', resolve)
  })
}

/** Resolves to the value of `work`, or to undefined if that takes longer than `ms` milliseconds. */
async function waitWithin<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  const end = await waitAtMost(work, ms)
  return typeof end === 'object' ? end.value : undefined
}
