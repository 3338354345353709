// Single keys of a terminal, without the keys that were typed before a prompt appeared.
import { emitKeypressEvents } from 'node:readline'
import type { Readable } from 'node:stream'

interface PressedKey {
  /** The name as node:readline reports it: `y`, `return`, `pagedown`, `escape`. */
  name: string
  ctrl: boolean
  /** Whether the key arrived together with others: pasted, or pressed faster than a user can react. */
  burst: boolean
}

export type KeyInput = Readable & { setRawMode?(raw: boolean): unknown }

/**
 * Time without input before keys count, and least time after the start. Users cannot answer a prompt that
 * they have not seen.
 */
const silentMs = 60
const blindMs = 250

/**
 * Discards pending input until the input is silent, and leaves it in raw mode. Only for a terminal
 * without other readers.
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
    // input that the system has buffered is read in between, even if the timer was late
    for (let i = 0; i < 2; i++) await new Promise((resolve) => setImmediate(resolve))
  } while (!isOver() && (heard || Date.now() - started < blindMs))
  input.off('data', hear)
}

/**
 * Discards type-ahead and calls `ready`. Then calls `pressed` for every key until `stop`, and `gone` if
 * the input ends.
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

/** Counts keys. An escape sequence counts as one key. */
function keysIn(chunk: string): number {
  return [...chunk.replace(/\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|\x1b)/g, 'k')].length
}
