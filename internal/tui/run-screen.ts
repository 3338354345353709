// A run on a terminal: its words as they come, a line for each call with what it did, and a row that moves
// meanwhile.
import type { EnvironmentVariables } from '../base/environment.ts'
import type { Event, EventPayload } from '../event/event.ts'
import { makePen, type Pen } from '../render/pen.ts'
import { type TerminalFlags, terminalOptions } from '../render/terminal.ts'
import type { TextStyle } from '../render/text/color.ts'
import { sanitizeText } from '../render/text/terminal-filter.ts'
import { compactionLine } from './compaction-line.ts'
import { formatDuration } from './duration.ts'
import { openProgress, type ProgressOutput, type RunProgress, retryText } from './plain-progress.ts'
import { openReplyDisplay } from './reply-display.ts'
import { headerLine, type RunTotals, summaryLines } from './run-summary.ts'
import { openCallDisplay } from './run-view/call-display.ts'
import { openBlockWriter } from './terminal/block-writer.ts'
import { type LiveRow, openLiveRow } from './terminal/live-row.ts'

export interface RunScreen extends RunProgress {
  /** Draws the answer unless it stands there already; false where standard output is no terminal. */
  answer(text: string): boolean
  summary(totals: Omit<RunTotals, 'denied'>): void
}

/** `out` takes the words of the model, `err` everything else; at least one of them is a terminal. */
interface RunScreenOptions {
  out: ProgressOutput
  err: ProgressOutput
  env: EnvironmentVariables
  color?: TerminalFlags['color']
}

const drawOn = (out: ProgressOutput) => (text: string) => (out.draw ? out.draw(text) : out.write(text))

export function openRunScreen({ out, err, env, color }: RunScreenOptions): RunScreen {
  const penOf = (stream: ProgressOutput) =>
    makePen({ ...terminalOptions({ env, stream, flags: { color } }), all: false })
  const pen = () => penOf(err)
  const words = out.isTTY ? out : err
  const plain = err.isTTY ? undefined : openProgress(err, { silent: false })
  const writer = openBlockWriter(() => live)
  const calls = openCallDisplay(pen, (lines) => {
    if (!plain) writer.print(err, 'call', lines)
  })
  const reply = openReplyDisplay(
    () => penOf(words).look,
    (lines) => writer.print(words, 'words', lines),
    { isWhole: !out.isTTY },
  )
  let since = Date.now()
  let isOver = false
  const activity = () => {
    if (isOver || writer.isPaused()) return undefined
    return reply.tail() || `${calls.running() || 'thinking'}${elapsed(since)}`
  }
  const moves = err.isTTY === true && env.TERM !== 'dumb'
  const live: LiveRow | undefined = moves ? openLiveRow(drawOn(err), pen, activity) : undefined
  const say = (text: string, style: TextStyle = {}) => {
    if (!plain) writer.print(err, 'call', sayLines(text, style, pen()))
  }
  return {
    event(event) {
      plain?.event(event)
      if (event.type === 'message') reply.message(event.payload)
      if (calls.event(event) || event.type === 'message.delta') since = Date.now()
      if (event.type === 'system.init' && !plain)
        writer.print(err, 'frame', [headerLine(event.payload, pen())])
      if (event.type === 'message.delta') {
        if (event.status !== 'discarded') reply.delta(event.payload)
        else say(breakText(event.payload, reply.discard()), { dim: true })
      }
      const notice = noticeOf(event)
      if (notice) say(...notice)
    },
    note(text) {
      if (plain) plain.note(text)
      else say(`note: ${text}`)
    },
    pause: () => writer.pause(),
    done() {
      isOver = true
      live?.stop()
      reply.end()
    },
    answer(text) {
      if (out.isTTY && text !== '') reply.answer(text)
      return out.isTTY === true
    },
    summary(totals) {
      if (plain) return
      writer.print(err, 'frame', summaryLines(calls.files(), { ...totals, denied: calls.denied() }, pen()))
    },
  }
}

/** A wait that is too short to be wondered at has no time. */
function elapsed(since: number): string {
  const seconds = Math.floor((Date.now() - since) / 1000)
  if (seconds < 2) return ''
  return seconds < 60 ? `  ${seconds} s` : `  ${formatDuration(seconds * 1000)}`
}

const sayLines = (text: string, style: TextStyle, { wrap, look, paint }: Pen) =>
  wrap(sanitizeText(text), look.width).map(paint(style))

function noticeOf(event: Event): [string, TextStyle] | undefined {
  if (event.type === 'child.started')
    return [`> ${event.payload.title}  ${event.payload.thread}`, { dim: true }]
  if (event.type === 'model.notice') return [`! ${event.payload.text}`, { color: 'yellow' }]
  if (event.type === 'message' && event.payload.role === 'summary')
    return [`~ ${compactionLine(event.payload)}`, { dim: true }]
  return event.type === 'limit' ? [`! ${event.payload.message}`, { color: 'yellow' }] : undefined
}

/** A reply of which something was seen says that it begins again. */
function breakText(payload: EventPayload<'message.delta'>, isBegun: boolean): string {
  const { retry, tries, why } = payload
  if (!isBegun) return `… ${why}; ${retryText(payload)}`
  return `broke off, asked again${typeof tries === 'number' ? `, ${retry} of ${tries}` : ''}: ${why}`
}
