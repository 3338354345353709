// Single keys of a terminal, without those that were typed before there was something to answer.
import { emitKeypressEvents } from 'node:readline'
import type { Readable } from 'node:stream'

interface PressedKey {
  /** As node:readline names it: `y`, `return`, `pagedown`, `escape`. */
  name: string
  ctrl: boolean
  /** Came together with others: pasted, or pressed while nobody could react. */
  burst: boolean
}

export type KeyInput = Readable & { setRawMode?(raw: boolean): unknown }

/**
 * How long the input has to be silent, and how long at least nothing counts: nobody answers what he has not
 * seen.
 */
const silentMs = 60
const blindMs = 250

/**
 * Reads and forgets what the input holds ready, until it is silent; the input is in raw mode then. For a
 * terminal that nobody else reads.
 */
export async function dropTypedAhead(input: KeyInput, isOver: () => boolean = () => false): Promise<void> {
  let heard = false
  const hear = () => {
    heard = true
  }
  input.setRawMode?.(true)
  input.on('data', hear).resume()
  const started = Date.now()
  do {
    heard = false
    await new Promise((resolve) => setTimeout(resolve, silentMs))
    // what the system holds ready is read in between, however late the timer was
    for (let i = 0; i < 2; i++) await new Promise((resolve) => setImmediate(resolve))
  } while (!isOver() && (heard || Date.now() - started < blindMs))
  input.off('data', hear)
}

/**
 * Drops what was typed ahead, calls `ready`, then `pressed` for every key until `stop`. `gone` when the input
 * ends.
 */
export function readKeys(
  input: KeyInput,
  on: { ready(): void; pressed(key: PressedKey): void; gone(): void },
): { stop(): void } {
  let stopped = false
  let count = 0
  const hear = (chunk: Buffer | string) => {
    count = keysIn(String(chunk))
  }
  const press = (text: string | undefined, key: { name?: string; ctrl?: boolean }) =>
    on.pressed({ name: key.name ?? text ?? '', ctrl: key.ctrl === true, burst: count > 1 })
  const end = () => on.gone()
  input.once('end', end).once('close', end)
  void dropTypedAhead(input, () => stopped).then(() => {
    if (stopped) return
    emitKeypressEvents(input)
    input.prependListener('data', hear).on('keypress', press)
    on.ready()
  })
  return {
    stop() {
      stopped = true
      input.off('keypress', press).off('data', hear).off('end', end).off('close', end)
      input.setRawMode?.(false)
      input.pause()
    },
  }
}

/** An escape sequence counts as one key. */
function keysIn(chunk: string): number {
  return [...chunk.replace(/\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|\x1b)/g, 'k')].length
}
