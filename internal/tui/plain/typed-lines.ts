// The reader of typed lines from a terminal, where Ctrl-D ends the input but does not close the terminal.
import { createInterface } from 'node:readline'
import type { SessionIo } from '../screen-options.ts'

interface TypedLines {
  pause(): void
  resume(): void
  close(): void
}

/**
 * Reads lines from a terminal. `end` is called each time the input ends and was opened again, so that
 * further lines count as well. `gone` is called if it cannot be opened again, for example because the
 * terminal is closed.
 */
export function readTypedLines(
  { input, reopenInput }: Pick<SessionIo, 'input' | 'reopenInput'>,
  heard: { line(line: string): void; end(): void; gone(): void },
): TypedLines {
  let isClosed = false
  let lines = open(input)
  function open(stream: NodeJS.ReadStream) {
    const opened = createInterface({ input: stream, terminal: false })
    opened.on('line', heard.line)
    opened.on('close', () => {
      if (stream !== input) stream.destroy()
      if (isClosed) return
      const reopened = reopenInput?.()
      if (!reopened) return heard.gone()
      lines = open(reopened)
      heard.end()
    })
    return opened
  }
  return {
    pause: () => lines.pause(),
    resume: () => lines.resume(),
    close() {
      isClosed = true
      lines.close()
    },
  }
}
