// Buffered output: texts of one turn of the event loop are one write, since each write wakes the reader.

import type { CommandOutput } from './command-output.ts'
import { writeText } from './streams.ts'

interface Collector {
  /** Takes a text. Resolves at once, or when much is waiting and the system has taken it. */
  add(text: string): Promise<void>
  /** Resolves when the system has taken everything that was added. */
  flush(): Promise<void>
}

/** Characters that may wait. */
const maxWaitingCharacters = 65_536

/** Nothing waits longer than until the next turn of the event loop. */
export function bufferOutput(out: Pick<CommandOutput, 'write'>): Collector {
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
