// Progress of a study: a live status on a terminal, otherwise one line per change, or JSON lines.
import { groupDigits } from '../../../../internal/base/text/group-digits.ts'
import { terminalOptions } from '../../../../internal/render/terminal.ts'
import type { JournalLine } from '../../../../internal/store/journal/journal.ts'
import { followProgress } from '../../../../internal/study/progress/progress-follower.ts'
import { formatProgress, isLasting } from '../../../../internal/study/progress/progress-lines.ts'
import { toProgressRecord } from '../../../../internal/study/progress/progress-record.ts'
import { drawBoard } from '../../../../internal/study/progress/status-board.ts'
import { type CommandOutput, foldMessage } from '../../io/command-output.ts'
import { formatJson } from '../../io/json.ts'
import type { CommandIo } from '../../verb.ts'

interface View {
  /**
   * Adds the next entry of the log; the first entry is the study's head. Known entries are added
   * but not printed.
   */
  line(line: JournalLine, isKnown?: boolean): void
  /** Prints a message of the program. */
  note(text: string): void
  /** Shows before the first entry how many files have been read, and of how many. */
  reading(seen: number, all: number): void
  /** Leaves the last state on the screen as plain lines. Nothing is rendered afterwards. */
  end(): void
}

interface ViewOptions {
  /** The output. Progress goes to standard error, results to standard output. */
  out: CommandOutput
  form: 'auto' | 'json' | 'quiet'
  /** Whether an answer follows. The terminal then keeps only the lines that belong next to the answer. */
  answers?: boolean
}

/** Milliseconds between two updates, so that the elapsed time advances. */
const pace = 200

export function openView(io: CommandIo, { out, form, answers = false }: ViewOptions): View {
  const silent = () => undefined
  if (form === 'quiet') return { line: silent, note: silent, reading: silent, end: silent }
  if (form === 'json') {
    return {
      line: (line, isKnown) => void (isKnown || out.write(formatJson(toProgressRecord(line)))),
      note: (text) => void out.write(formatJson({ kind: 'note', text })),
      reading: paced((seen, all) => void out.write(formatJson({ kind: 'reading', files: seen, of: all }))),
      end: () => undefined,
    }
  }
  return out.isTTY && io.env.TERM !== 'dumb' ? screen(io, out, answers) : plain(out)
}

function plain(out: CommandOutput): View {
  const { line } = followProgress((line, state, isKnown) => {
    if (!isKnown) for (const text of formatProgress(line, state)) writeLine(out, text)
  })
  return {
    line,
    note: (text) => writeLine(out, text),
    reading: paced((seen, all) => writeLine(out, describeReading(seen, all)), slowReading),
    end: () => undefined,
  }
}

const describeReading = (seen: number, all: number): string =>
  all === 0
    ? 'looking for files'
    : `reading ${groupDigits(all)} ${all === 1 ? 'file' : 'files'}${percentOf(seen, all)}`

const percentOf = (seen: number, all: number) => (seen > 0 ? `, ${Math.floor((seen / all) * 100)} %` : '')

/** Milliseconds between two lines about reading if lines are permanent. */
const slowReading = 2000

/** Milliseconds until the first line about reading; faster reads need no line. */
const firstReading = 400

/** Forwards at most one call per interval in milliseconds. */
function paced(tell: View['reading'], ms = slowReading): View['reading'] {
  let next = Date.now() + Math.min(firstReading, ms)
  return (seen, all) => {
    if (Date.now() < next) return
    next = Date.now() + ms
    tell(seen, all)
  }
}

/** Writes one line, wrapped between words if the terminal is narrower. */
function writeLine(out: CommandOutput, text: string): void {
  out.write(`${out.columns ? foldMessage(text, out.columns) : text}\n`)
}

function screen(io: CommandIo, out: CommandOutput, answers: boolean): View {
  const messages: string[] = []
  let height = 0
  let drawn = false
  let ended = false
  const { line, state } = followProgress((line, state, isKnown) => {
    if (!isKnown && (!answers || isLasting(line))) messages.push(...formatProgress(line, state))
  })
  // moves up to the first line of the last output and clears everything below
  const erase = () => {
    if (height > 0) out.draw(`\x1b[${height}A\x1b[J`)
    height = 0
  }
  const draw = () => {
    const now = state()
    if (ended || !now) return
    const look = { ...terminalOptions({ env: io.env, stream: out }), all: true }
    // the last cell stays empty, because some terminals wrap when it is written
    const lines = drawBoard(now, { ...look, width: look.width - 1 }, (out.stream.rows ?? 24) - 1, Date.now())
    erase()
    drawn = true
    out.write(`${lines.join('\n')}\n`)
    height = lines.length
  }
  const timer = setInterval(draw, pace)
  timer.unref()
  return {
    line(next, isKnown) {
      line(next, isKnown)
      // the first entry is shown immediately, later ones at the interval
      if (!drawn) draw()
    },
    note: (text) => void messages.push(text),
    reading: paced((seen, all) => {
      erase()
      out.write(`${describeReading(seen, all)}\n`)
      height = 1
    }, pace),
    end() {
      if (ended) return
      clearInterval(timer)
      erase()
      ended = true
      for (const text of messages) writeLine(out, text)
    },
  }
}
