// Lines that are typed. Ctrl-D ends the input of a terminal, and not the terminal.
import { createInterface } from 'node:readline'
import type { SessionIo } from '../screen-options.ts'

interface TypedLines {
  pause(): void
  resume(): void
  close(): void
}

/**
 * `end` is told each time the input ends; lines that are typed behind it count as well. `gone`: there is
 * nobody any more who could type.
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
