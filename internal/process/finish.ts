// How a child comes to its end: asked, made to, and followed by everything it started.
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { now } from '../base/clock.ts'
import { descendants } from './descendants.ts'
import type { Started } from './start.ts'
import { kill, signal, sweep, terminate } from './sweep.ts'

/** Between TERM and KILL. */
export const graceMs = 2000
/** How long the pipes may be silent after the exit; long enough for a `tee` behind a process substitution. */
const drainMs = 100
/** How long output may keep coming after the exit. What the child left in the pipes takes far less. */
const floodMs = 2000
/** What lives on after a command that ended by itself gets this long between TERM and KILL. */
const leftGraceMs = 200
/** After KILL the system itself holds the process; waiting longer would be waiting for ever. */
const lostMs = 5000

type Exit = Awaited<Started['exited']>

/** TERM to the whole family now, KILL to what is there two seconds later. Resolves with the child's exit. */
export async function end(child: Started): Promise<Exit> {
  signal(-child.pid, 'SIGTERM')
  signal(-child.pid, 'SIGCONT')
  for (const { pid } of await descendants(child.family)) if (pid !== child.pid) terminate(pid)
  const early = await within(child.exited, graceMs)
  if (early) return early
  signal(-child.pid, 'SIGKILL')
  kill(await descendants(child.family))
  return (await within(child.exited, lostMs)) ?? { exit: null, signal: 'SIGKILL' }
}

/**
 * To be called after the exit: reads what is still in the pipes, ends what still lives, lets go of the pipes.
 * `asked` is when TERM was sent, if it was; without it a childless program leaves nothing to look for. Resolves to
 * the number of descendants that had to be ended, and whether the end of the output was not reached.
 */
export async function settle(
  child: Started,
  asked: number | undefined,
  childless = false,
): Promise<{ leaked: number; torn: boolean }> {
  let whole = await drain(child)
  const leaked = childless && asked === undefined ? 0 : await clear(child, asked)
  if (!whole && leaked > 0) whole = await drain(child)
  child.stdout.destroy()
  child.stderr.destroy()
  child.done()
  return { leaked, torn: !whole }
}

/** Reads for as long as something comes, within limits; a busy machine is slow to hand over what is there. */
async function drain({ stdout, stderr }: Started): Promise<boolean> {
  const closed = Promise.all([closing(stdout), closing(stderr)]).then(() => true)
  const read = () => (stdout as Socket).bytesRead + (stderr as Socket).bytesRead
  const until = now() + floodMs
  for (;;) {
    const before = read()
    if (await within(closed, drainMs)) return true
    if (read() === before || now() > until) return false
  }
}

/** Ends what still lives of the family. */
async function clear(child: Started, asked: number | undefined): Promise<number> {
  // a process that has closed its output and is about to be gone has not been left behind
  for (let i = 0; i < 5 && (await descendants(child.family)).length > 0; i++) await sleep(i)
  const grace = asked === undefined ? leftGraceMs : Math.max(0, asked + graceMs - now())
  return sweep(child.family, grace)
}

function closing(stream: Readable): Promise<unknown> {
  if (stream.closed || stream.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    stream.once('close', resolve)
  })
}

/**
 * The value, or undefined when it takes longer. A busy program comes to its timers before its pipes: what has arrived
 * when the time is over still counts.
 */
async function within<T>(value: Promise<T>, ms: number): Promise<T | undefined> {
  const over = new AbortController()
  const late = sleep(ms, undefined, { signal: over.signal })
    .then(() => turn(undefined))
    .catch(() => undefined)
  try {
    return await Promise.race([value, late])
  } finally {
    over.abort()
  }
}
