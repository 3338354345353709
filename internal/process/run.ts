// Runs one command to its end, with limits on time and memory.
import { setMaxListeners } from 'node:events'
import { now } from '../base/clock.ts'
import { both } from './both.ts'
import { capture } from './capture.ts'
import type { Captured, Command, Outcome } from './command.ts'
import { end, settle } from './finish.ts'
import { fileOf } from './owner.ts'
import { type Ground, type Started, start } from './start.ts'

const keepDefault = 1024 * 1024

/** See Run. `closing` ends the command like its own signal does. */
export async function runCommand(ground: Ground, command: Command, closing: AbortSignal): Promise<Outcome> {
  const began = now()
  const signals = command.signal ? [command.signal, closing] : [closing]
  if (signals.some((signal) => signal.aborted)) return neverStarted()
  const child = await start(ground, command)
  const output = collect(child, command)
  const stop = stopper(child, command.timeoutMs, signals)
  const exit = await Promise.race([child.exited, stop.ended])
  stop.release()
  const left = await settle(child, stop.asked, command.childless)
  const { stdout, stderr, joined } = output
  joined.finish()
  let combined: Captured | undefined
  return {
    ...exit,
    ended: stop.why,
    ms: Math.round(now() - began),
    stdout: stdout.captured(),
    stderr: stderr.captured(),
    get combined() {
      combined ??= joined.capture.captured()
      return combined
    },
    whole: joined.whole(),
    ...left,
  }
}

function collect(child: Started, command: Command) {
  const keep = command.keepBytes ?? keepDefault
  const captures = { stdout: capture(keep), stderr: capture(keep) }
  const joined = both(keep, command.whole ? fileOf(child.directory, child.number, 'output') : undefined)
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (chunk: Uint8Array) => {
      captures[stream].push(chunk)
      joined.push(chunk, stream)
      command.onOutput?.(chunk, stream)
    })
    // a reset pipe is an ended pipe
    child[stream].on('error', () => child[stream].destroy())
  }
  return { ...captures, joined }
}

/** Watches clock and signals. `ended` resolves only when one of them made it end the child. */
function stopper(child: Started, timeoutMs: number | undefined, signals: readonly AbortSignal[]) {
  let resolve: (exit: Awaited<Started['exited']> | Promise<Awaited<Started['exited']>>) => void
  const ended = new Promise<Awaited<Started['exited']>>((settled) => {
    resolve = settled
  })
  const state = { why: undefined as Outcome['ended'], asked: undefined as number | undefined, ended, release }
  const stop = (why: 'timeout' | 'cancelled') => {
    if (state.why !== undefined) return
    state.why = why
    state.asked = now()
    resolve(end(child))
  }
  const abort = () => stop('cancelled')
  const timer =
    timeoutMs === undefined ? undefined : setTimeout(() => stop('timeout'), Math.min(timeoutMs, 2 ** 31 - 1))
  // one listener for each command that runs, all removed: many at once are no leak
  setMaxListeners(0, ...signals)
  for (const signal of signals) signal.addEventListener('abort', abort, { once: true })
  if (signals.some((signal) => signal.aborted)) abort()
  function release() {
    clearTimeout(timer)
    for (const signal of signals) signal.removeEventListener('abort', abort)
  }
  return state
}

function neverStarted(): Outcome {
  const nothing: Captured = { bytes: 0, text: '', cut: false, invalid: false }
  return {
    exit: null,
    signal: null,
    ended: 'cancelled',
    ms: 0,
    stdout: nothing,
    stderr: nothing,
    combined: nothing,
    whole: undefined,
    leaked: 0,
    torn: false,
  }
}
