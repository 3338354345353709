// The drawing of a run on a terminal: responses as they arrive, each call with its result, and
// the current work.
import type { EventPayload } from '../../event/event.ts'
import type { Pen, RenderLook } from '../../render/pen.ts'
import type { TextStyle } from '../../render/text/color.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { type CheckLine, describeCheckRun, describeRunningCheck } from '../../session/view/check-run.ts'
import { describeRetry } from '../../session/view/fold.ts'
import type { SessionView } from '../../session/view/session-view.ts'
import { subjectOf } from '../../session/view/telling-argument.ts'
import { collectChanges, writesOf } from './file-changes.ts'
import { openReplyWords } from './reply-words.ts'
import { headerLine, type RunTotals, summaryLines } from './run-frame.ts'
import { type RunDrawing, type RunLook, remarkOf, retryLine } from './run-view.ts'
import { drawOutcome } from './tool-lines.ts'
import { readOutcome } from './tool-outcome.ts'

interface TerminalLook {
  draw: RunLook
  /** Ends an interrupted response. Returns the lines of its rest. */
  end(): readonly string[]
  /** Returns the lines of the last answer; an empty list if the answer is shown already. */
  answer(text: string): readonly string[]
  note(text: string): readonly string[]
  summary(totals: Omit<RunTotals, 'denied'>): readonly string[]
}

interface TerminalLookOptions {
  pen(): Pen
  /** Returns the drawing settings for response text, which may go to another stream than the calls. */
  wordsLook(): RenderLook
  /** True if the final answer is printed separately, so that only text before calls is shown here. */
  isWhole: boolean
}

export function openTerminalLook({ pen, wordsLook, isWhole }: TerminalLookOptions): TerminalLook {
  const reply = openReplyWords(wordsLook, { isWhole })
  const changes = collectChanges()
  const writes = new Map<string, readonly string[]>()
  const progress = new Map<string, string>()
  let denied = 0
  let since = Date.now()
  const say = (text: string, style: TextStyle = {}): RunDrawing => {
    const { wrap, look, paint } = pen()
    return { part: 'call', lines: wrap(text, look.width).map(paint(style)) }
  }
  const endCall = (result: EventPayload<'tool.result'>, before: SessionView): RunDrawing => {
    const outcome = readOutcome(result, before)
    if (outcome.code === 'denied') denied++
    changes.add(outcome, writes.get(outcome.call))
    writes.delete(outcome.call)
    progress.delete(outcome.call)
    return { part: 'call', lines: drawOutcome(outcome, pen()) }
  }
  const drawEvent: RunLook = ({ event, before }) => {
    switch (event.type) {
      case 'system.init':
        return { part: 'frame', lines: [headerLine(event.payload, pen())] }
      case 'message.delta': {
        if (event.status !== 'discarded') return { part: 'words', lines: reply.delta(event.payload) }
        return say(breakText(event.payload, reply.discard()), { dim: true })
      }
      case 'tool.call':
        writes.set(event.payload.call, writesOf(event.payload.scope))
        return nothing
      case 'tool.progress':
        progress.set(event.payload.call, progressText(event.payload))
        return nothing
      case 'tool.result':
        return endCall(event.payload, before)
      case 'check.ran':
        return drawChecks(event.payload, pen())
      default: {
        const remark = remarkOf(event)
        if (remark) return say(remark.text, remark.isWarning ? { color: 'yellow' } : { dim: true })
        return event.type === 'message' ? { part: 'words', lines: reply.message(event.payload) } : nothing
      }
    }
  }
  return {
    draw(step) {
      const drawn = drawEvent(step)
      if (startsWork.test(step.event.type)) since = Date.now()
      const tail = reply.tail()
      return { ...drawn, live: tail ? { text: tail } : { text: describeCalls(step.view, progress), since } }
    },
    end: reply.end,
    answer: reply.answer,
    note: (text) => say(`note: ${sanitizeText(text)}`).lines,
    summary: (totals) => summaryLines(changes.files(), { ...totals, denied }, pen()),
  }
}

/** Events after which the time of the shown work starts again. */
const startsWork = /^(?:tool\.call|tool\.result|message\.delta|check\.running)$/

const drawChecks = (run: EventPayload<'check.ran'>, pen: Pen): RunDrawing => ({
  part: 'call',
  lines: describeCheckRun(run).flatMap((one) => drawCheck(one, pen)),
})

const drawCheck = ({ mark, text }: CheckLine, { wrap, look, paint }: Pen): string[] =>
  wrap(`${mark} ${sanitizeText(text)}`, look.width).map(paint({ color: mark === '✔' ? 'green' : 'red' }))

const nothing: RunDrawing = { lines: [] }

/**
 * Returns a text with the running check, or with the running calls, each with its progress or its subject;
 * `thinking` if none of them is running.
 */
function describeCalls({ calls, checking }: SessionView, progress: ReadonlyMap<string, string>): string {
  if (checking) return sanitizeText(describeRunningCheck(checking))
  const texts = calls.map(({ call, tool, args }) => {
    const subject = sanitizeText(subjectOf({ tool, args }))
    return progress.get(call) ?? `${sanitizeText(tool)} ${subject}`.trimEnd()
  })
  return texts.join(', ') || 'thinking'
}

function progressText({ tool, progress, total, message }: EventPayload<'tool.progress'>): string {
  const far = total === undefined ? String(progress) : `${progress}/${total}`
  return `${sanitizeText(tool)} ${far} ${sanitizeText(message ?? '')}`.trimEnd()
}

/**
 * Returns the notice about a repeated request. If a part of the response had arrived, the notice says that
 * the response starts again.
 */
function breakText(payload: EventPayload<'message.delta'>, isBegun: boolean): string {
  const { retry: attempt = 2, tries, why } = payload
  return isBegun ? sanitizeText(describeRetry({ attempt, tries, why })) : retryLine(payload)
}
