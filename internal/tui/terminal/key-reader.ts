// The reader of single keys of a terminal. Keys that the user typed before a prompt appeared are dropped.
import { emitKeypressEvents } from 'node:readline'
import type { Readable } from 'node:stream'

interface PressedKey {
  /** The name of the key as node:readline reports it: `y`, `return`, `pagedown`, `escape`. */
  name: string
  ctrl: boolean
  /**
   * True if the key arrived together with others, which were pasted or pressed faster than a user can react.
   */
  burst: boolean
}

export type KeyInput = Readable & { setRawMode?(raw: boolean): unknown }

/**
 * `silentMs` is the time in milliseconds without input before keys count; `blindMs` is the shortest time from
 * the start until keys count. Users cannot answer a prompt that they have not seen.
 */
const silentMs = 60
const blindMs = 250

/**
 * Discards input until none has arrived for `silentMs` milliseconds and `blindMs` have passed, or until
 * `isOver` returns true. Leaves the input in raw mode. Only for a terminal without other readers.
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
    // Input that the system has buffered is read in between, even if the timer was late.
    for (let i = 0; i < 2; i++) await new Promise((resolve) => setImmediate(resolve))
  } while (!isOver() && (heard || Date.now() - started < blindMs))
  input.off('data', hear)
}

/**
 * Discards keys that were typed ahead and calls `ready`. Then calls `pressed` for every key until `stop`, and
 * `gone` if the input ends.
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

/** Returns the number of keys in a chunk of input. An escape sequence counts as one key. */
function keysIn(chunk: string): number {
  return [...chunk.replace(/\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|\x1b)/g, 'k')].length
}
