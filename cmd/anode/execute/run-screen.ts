// The output of a run on a terminal: text, calls, and a status line that updates.
import type { EnvironmentVariables } from '../../../internal/base/environment.ts'
import type { Event } from '../../../internal/event/event.ts'
import { makePen } from '../../../internal/render/pen.ts'
import { type TerminalFlags, terminalOptions } from '../../../internal/render/terminal.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { formatDuration } from '../../../internal/tui/duration.ts'
import type { RunTotals } from '../../../internal/tui/run-view/run-frame.ts'
import { openRunView, progressLook, type RunDrawing } from '../../../internal/tui/run-view/run-view.ts'
import { openTerminalLook } from '../../../internal/tui/run-view/terminal-look.ts'
import { openBlockWriter, type TerminalOutput } from '../../../internal/tui/terminal/block-writer.ts'
import { type LiveRow, openLiveRow } from '../../../internal/tui/terminal/live-row.ts'

/** The output that shows a run while it works. */
export interface RunOutput {
  event(event: Event): void
  note(text: string): void
  /** Frees the terminal for another part of Anode until the returned function is called. */
  pause(): () => void
  done(): void
}

export interface RunScreen extends RunOutput {
  /**
   * Shows the answer on standard output unless it is already shown, and returns true. If standard output is
   * not a terminal, shows nothing and returns false.
   */
  answer(text: string): boolean
  summary(totals: Omit<RunTotals, 'denied'>): void
}

/**
 * The streams of the output, of which at least one is a terminal. `out` gets the text of the model if it is a
 * terminal; `err` gets everything else.
 */
interface RunScreenOptions {
  out: TerminalOutput
  err: TerminalOutput
  env: EnvironmentVariables
  color?: TerminalFlags['color']
}

const drawOn = (out: TerminalOutput) => (text: string) => (out.draw ? out.draw(text) : out.write(text))

export function openRunScreen({ out, err, env, color }: RunScreenOptions): RunScreen {
  const penOf = (stream: TerminalOutput) =>
    makePen({ ...terminalOptions({ env, stream, flags: { color } }), all: false })
  const pen = () => penOf(err)
  const words = out.isTTY ? out : err
  const look = openTerminalLook({ pen, wordsLook: () => penOf(words).look, isWhole: !out.isTTY })
  const run = openRunView(look.draw)
  const progress = err.isTTY ? undefined : openRunView(progressLook)
  const writer = openBlockWriter(() => row)
  const print = (part: RunDrawing['part'], lines: readonly string[]) => {
    if (part === 'words') writer.print(words, part, lines)
    else if (part && !progress) writer.print(err, part, lines)
  }
  const printPlain = (line: string) => err.write(`${line}\n`)
  let live: RunDrawing['live'] = { text: 'thinking', since: Date.now() }
  let isOver = false
  const activity = () =>
    isOver || !live || writer.isPaused()
      ? undefined
      : `${live.text}${formatElapsed(live.since ?? Date.now())}`
  const moves = err.isTTY === true && env.TERM !== 'dumb'
  const row: LiveRow | undefined = moves ? openLiveRow(drawOn(err), pen, activity) : undefined
  return {
    event(event) {
      for (const line of progress?.take(event).lines ?? []) printPlain(line)
      const drawn = run.take(event)
      live = drawn.live
      print(drawn.part, drawn.lines)
    },
    note(text) {
      if (progress) printPlain(`note: ${sanitizeText(text)}`)
      else print('call', look.note(text))
    },
    pause: () => writer.pause(),
    done() {
      isOver = true
      row?.stop()
      print('words', look.end())
    },
    answer(text) {
      if (out.isTTY && text !== '') print('words', look.answer(text))
      return out.isTTY === true
    },
    summary(totals) {
      print('frame', look.summary(totals))
    },
  }
}

/**
 * Returns the time since the moment `since` (milliseconds since 1970) as text; empty below two seconds, when
 * users do not need it.
 */
function formatElapsed(since: number): string {
  const seconds = Math.floor((Date.now() - since) / 1000)
  if (seconds < 2) return ''
  return seconds < 60 ? `  ${seconds} s` : `  ${formatDuration(seconds * 1000)}`
}
