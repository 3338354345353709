// The progress of a build: with `json` as JSON lines, else as a live status on a terminal, else as
// lines of text.
import { followBuildBoard } from '../../../internal/build/report/build-board.ts'
import { formatBuildEntry, isLastingEntry } from '../../../internal/build/report/build-lines.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import type { JournalLine } from '../../../internal/store/journal/journal.ts'
import { type CommandOutput, foldMessage } from '../io/command-output.ts'
import { openLiveStatus } from '../io/live-status.ts'
import type { CommandIo } from '../verb.ts'

interface BuildView {
  line(line: JournalLine): void
  /**
   * Runs `use`, which asks the user, and returns its result. A live status is removed from
   * the terminal meanwhile.
   */
  lend<T>(use: () => Promise<T>): Promise<T>
  /**
   * Removes a live status for good, and prints the entries that must stay readable, such as a reopened task.
   * Does nothing in a view of JSON lines or lines of text.
   */
  end(): void
}

interface BuildViewOptions {
  out: CommandOutput
  /** Returns the value that is printed as JSON for an entry of the journal. If set, no text is printed. */
  json?: (line: JournalLine) => unknown
}

/**
 * Opens the view of a build. With `json`, it prints every entry as one line of JSON. Without a terminal, with
 * NO_COLOR or with TERM=dumb, it prints a text for each entry that has one. Otherwise it shows a live status.
 */
export function openBuildView(io: CommandIo, { out, json }: BuildViewOptions): BuildView {
  const write = (text: string) => {
    const line = `${sanitizeText(text, { keepLines: true })}\n`
    out.write(out.columns ? foldMessage(line, out.columns) : line)
  }
  const print = (line: JournalLine) => {
    const text = formatBuildEntry(line)
    if (text !== undefined) write(text)
  }
  if (json || !out.isTTY || io.env.TERM === 'dumb' || io.env.NO_COLOR)
    return {
      line: json ? (line) => out.write(`${JSON.stringify(json(line))}\n`) : print,
      lend: (use) => use(),
      end: () => undefined,
    }
  const board = followBuildBoard()
  const lasting: JournalLine[] = []
  const status = openLiveStatus(io, out, (look, rows) => board.draw(look, rows, Date.now()))
  return {
    line(line) {
      board.line(line)
      if (isLastingEntry(line)) lasting.push(line)
      if (line.seq === 1) status.draw()
    },
    async lend(use) {
      status.pause()
      try {
        return await use()
      } finally {
        status.resume()
      }
    },
    end() {
      status.end()
      for (const line of lasting) print(line)
    },
  }
}
