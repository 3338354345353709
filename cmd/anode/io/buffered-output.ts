// Output in a buffer. The texts of one turn of the event loop become one write, because each write
// wakes the reader.

import type { CommandOutput } from './command-output.ts'
import { writeText } from './streams.ts'

interface OutputBuffer {
  /**
   * Adds a text to the buffer. Resolves immediately or, if much is pending, after the system has
   * accepted the text.
   */
  add(text: string): Promise<void>
  /** Writes the pending text. Resolves when the system has accepted everything that was added. */
  flush(): Promise<void>
}

/** Number of pending characters above which `add` waits. */
const maxWaitingCharacters = 65_536

/**
 * Returns a buffer for the output `out`. A text is written in the next turn of the event loop, earlier if
 * more than 65,536 characters are pending, and later if earlier writes are not finished.
 */
export function bufferOutput(out: Pick<CommandOutput, 'write'>): OutputBuffer {
  let waiting = ''
  let turn: NodeJS.Immediate | undefined
  let written = Promise.resolve()
  const flush = () => {
    clearImmediate(turn)
    turn = undefined
    if (waiting === '') return written
    const text = waiting
    waiting = ''
    written = written.then(() => writeText(out, text))
    return written
  }
  return {
    async add(text) {
      waiting += text
      turn ??= setImmediate(flush)
      if (waiting.length > maxWaitingCharacters) await flush()
    },
    flush,
  }
}
