// The progress of a study: nothing with --quiet, JSON lines with --json, else a live status on a terminal or
// one line per change.
import { groupDigits } from '../../../../internal/base/text/count-noun.ts'
import type { JournalLine } from '../../../../internal/store/journal/journal.ts'
import {
  followProgress,
  formatProgress,
  isLasting,
} from '../../../../internal/study/progress/progress-lines.ts'
import { toProgressRecord } from '../../../../internal/study/progress/progress-record.ts'
import { drawBoard } from '../../../../internal/study/progress/status-board.ts'
import { type CommandOutput, foldMessage } from '../../io/command-output.ts'
import { formatJson } from '../../io/json.ts'
import { openLiveStatus, statusPaceMs } from '../../io/live-status.ts'
import type { CommandIo } from '../../verb.ts'

interface ProgressView {
  /**
   * Adds the next entry of the study's log; the first entry is the study's head. With `isKnown`, the entry is
   * old and was shown before, so it is added but not printed.
   */
  line(line: JournalLine, isKnown?: boolean): void
  /**
   * Prints a message of Anode itself, on a terminal only after the status has ended. Prints
   * nothing with `quiet`.
   */
  note(text: string): void
  /** Shows how many of all files have been read. This happens before the first entry. */
  reading(seen: number, all: number): void
  /**
   * Ends the view. On a terminal, the status is replaced by the collected messages as plain lines. Nothing
   * is drawn afterwards.
   */
  end(): void
}

interface ViewOptions {
  /**
   * The output for the view: standard error, or standard output if the progress is the result of the command.
   */
  out: CommandOutput
  form: 'auto' | 'json' | 'quiet'
  /**
   * True if an answer follows on standard output. A terminal then keeps only the lines that still matter
   * after the answer, such as notices and failed tasks.
   */
  answers?: boolean
}

export function openView(io: CommandIo, { out, form, answers = false }: ViewOptions): ProgressView {
  const silent = () => undefined
  if (form === 'quiet') return { line: silent, note: silent, reading: silent, end: silent }
  if (form === 'json') {
    return {
      line: (line, isKnown) => void (isKnown || out.write(formatJson(toProgressRecord(line)))),
      note: (text) => void out.write(formatJson({ kind: 'note', text })),
      reading: limitRate(
        (count, all) => void out.write(formatJson({ kind: 'reading', files: count, of: all })),
      ),
      end: () => undefined,
    }
  }
  return out.isTTY && io.env.TERM !== 'dumb' ? openScreenView(io, out, answers) : openPlainView(out)
}

function openPlainView(out: CommandOutput): ProgressView {
  const { line } = followProgress((line, state, isKnown) => {
    if (!isKnown) for (const text of formatProgress(line, state)) writeLine(out, text)
  })
  return {
    line,
    note: (text) => writeLine(out, text),
    reading: limitRate((count, all) => writeLine(out, describeReading(count, all)), slowReading),
    end: () => undefined,
  }
}

const describeReading = (count: number, all: number): string =>
  all === 0
    ? 'looking for files'
    : `reading ${groupDigits(all)} ${all === 1 ? 'file' : 'files'}${percentOf(count, all)}`

const percentOf = (count: number, all: number) => (count > 0 ? `, ${Math.floor((count / all) * 100)} %` : '')

/**
 * Time in milliseconds between two lines about reading files, for an output whose lines cannot be replaced.
 */
const slowReading = 2000

/** Time in milliseconds until the first line about reading files; faster reads need no line. */
const firstReading = 400

/**
 * Returns a function that passes on at most one call in each interval of `ms` milliseconds. It ignores the
 * calls in the first `firstReading` milliseconds, or in the first `ms` if that is shorter.
 */
function limitRate(tell: ProgressView['reading'], ms = slowReading): ProgressView['reading'] {
  let next = Date.now() + Math.min(firstReading, ms)
  return (count, all) => {
    if (Date.now() < next) return
    next = Date.now() + ms
    tell(count, all)
  }
}

/** Writes one line, wrapped between words if the terminal is narrower. */
function writeLine(out: CommandOutput, text: string): void {
  out.write(`${out.columns ? foldMessage(text, out.columns) : text}\n`)
}

function openScreenView(io: CommandIo, out: CommandOutput, answers: boolean): ProgressView {
  const messages: string[] = []
  let isDrawn = false
  let isOver = false
  const { line, state } = followProgress((line, state, isKnown) => {
    if (!isKnown && (!answers || isLasting(line))) messages.push(...formatProgress(line, state))
  })
  const status = openLiveStatus(io, out, (look, rows) => {
    const now = state()
    return now && drawBoard(now, look, rows, Date.now())
  })
  return {
    line(next, isKnown) {
      line(next, isKnown)
      // The first entry is shown immediately, later entries at the interval.
      if (!isDrawn) status.draw()
      isDrawn = true
    },
    note: (text) => void messages.push(text),
    reading: limitRate((count, all) => status.show([describeReading(count, all)]), statusPaceMs),
    end() {
      if (isOver) return
      isOver = true
      status.end()
      for (const text of messages) writeLine(out, text)
    },
  }
}
