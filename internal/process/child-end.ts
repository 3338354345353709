// How a child comes to its end: asked, made to, and followed by everything it started.
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicNow } from '../base/clock.ts'
import { waitAtMost } from '../base/time-limit.ts'
import type { StartedChild } from './child-start.ts'
import { killProcesses, killProcessFamily, signalProcess, terminateProcess } from './process-family.ts'
import { findDescendants, type ProcessFamily } from './table/descendants.ts'

/** Between TERM and KILL. */
const usualGraceMs = 2000
/** How long the pipes may be silent after the exit; long enough for a `tee` behind a process substitution. */
const drainMs = 100
/** How long output may keep coming after the exit. What the child left in the pipes takes far less. */
const floodMs = 2000
/** What lives on after a command that ended by itself gets this long between TERM and KILL. */
const leftGraceMs = 200
/** After KILL the system itself holds the process; waiting longer would be waiting for ever. */
const lostMs = 5000

type Exit = Awaited<StartedChild['exited']>

/** How a child is asked to end, and how long it may take. */
interface EndOptions {
  graceMs?: number
  /** Tells it that its terminal is gone as well: interactive shells do not hear TERM. */
  hangsUp?: boolean
}

/** A wall that is a program has two processes: who watches from outside, and the first one inside. */
const wallProcesses = 2

/** TERM to the whole family now, KILL to what is there after the grace. Resolves with the child's exit. */
export async function endChild(
  child: Pick<StartedChild, 'pid' | 'family' | 'wall' | 'exited'>,
  { graceMs = usualGraceMs, hangsUp = false }: EndOptions = {},
): Promise<Exit> {
  const deadline = monotonicNow() + graceMs
  const early =
    (await askFamily(child, deadline, hangsUp)) ??
    (await within(child.exited, Math.max(0, deadline - monotonicNow())))
  if (early) return early
  signalProcess(-child.pid, 'SIGKILL')
  killProcesses(await findDescendants(child.family))
  return (await within(child.exited, lostMs)) ?? { exit: null, signal: 'SIGKILL' }
}

/** Resolves once somebody could hear it, with the exit where that came first. */
async function askFamily(
  { pid: leader, family, wall, exited }: Parameters<typeof endChild>[0],
  deadline: number,
  hangsUp: boolean,
): Promise<Exit | undefined> {
  // a wall that ends takes what it holds with it at once, before any of it could tidy up
  const isInside = wall?.statusFile !== undefined
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
    // while the wall is built, the command that is to end is not there yet
    const left = deadline - monotonicNow()
    if (!isInside || members.length > wallProcesses || left <= 0) return undefined
    const early = await within(exited, Math.min(pause, left))
    if (early) return early
  }
}

/**
 * To be called after the exit: reads what is still in the pipes, ends what still lives, lets go of the pipes.
 * `asked` is when TERM was sent, if it was; without it a childless program leaves nothing to look for.
 * Resolves to the number of descendants that had to be ended, and whether the end of the output was not
 * reached.
 */
export async function cleanUpChild(
  child: StartedChild,
  asked: number | undefined,
  childless = false,
): Promise<{ leaked: number; torn: boolean }> {
  let whole = await drain(child)
  const leaked = childless && asked === undefined ? 0 : await endDescendants(child.family, asked)
  if (!whole && leaked > 0) whole = await drain(child)
  child.stdout.destroy()
  child.stderr.destroy()
  child.done()
  return { leaked, torn: !whole }
}

/** Reads for as long as something comes, within limits; a busy machine is slow to hand over what is there. */
async function drain({ stdout, stderr }: StartedChild): Promise<boolean> {
  const closed = Promise.all([closing(stdout), closing(stderr)]).then(() => true)
  const read = () => (stdout as Socket).bytesRead + (stderr as Socket).bytesRead
  const until = monotonicNow() + floodMs
  for (;;) {
    const before = read()
    if (await within(closed, drainMs)) return true
    if (read() === before || monotonicNow() > until) return false
  }
}

/** Ends what still lives of the family after its leader; `asked` as above. Resolves to how many that were. */
export async function endDescendants(family: ProcessFamily, asked: number | undefined): Promise<number> {
  // a process that has closed its output and is about to be gone has not been left behind
  for (let i = 0; i < 5 && (await findDescendants(family)).length > 0; i++) await sleep(i)
  const grace = asked === undefined ? leftGraceMs : Math.max(0, asked + usualGraceMs - monotonicNow())
  return killProcessFamily(family, grace)
}

function closing(stream: Readable): Promise<unknown> {
  if (stream.closed || stream.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    stream.once('close', resolve)
  })
}

/** The value, or undefined when it takes longer. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  const end = await waitAtMost(work, ms)
  return typeof end === 'object' ? end.value : undefined
}
