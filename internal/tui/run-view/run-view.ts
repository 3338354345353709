// The drawing of a run: events become lines in one of several looks, such as that of the
// progress of `execute`.

import { countNoun } from '../../base/text/count-noun.ts'
import { shortCount } from '../../base/text/short-count.ts'
import type { EventPayload } from '../../event/event.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { SessionEvent } from '../../session/client.ts'
import { describeReview } from '../../session/view/approval-review.ts'
import { describeCheckRun, describeProof } from '../../session/view/check-run.ts'
import { foldSessionEvent } from '../../session/view/fold.ts'
import { emptyView, type SessionView } from '../../session/view/session-view.ts'
import { formatDuration } from '../duration.ts'

/** One event of a run, with the view before and after it. */
export interface RunStep {
  event: SessionEvent
  before: SessionView
  view: SessionView
}

export interface RunDrawing {
  /** Lines that are complete after this event. */
  lines: readonly string[]
  /**
   * The kind of the lines, for a caller that puts an empty line between different kinds: response text, a
   * call or notice, or the run's frame.
   */
  part?: 'words' | 'call' | 'frame'
  /**
   * The current work of the run; `since` is the time of its start in milliseconds since 1970, if the time is
   * shown. Default: no current work.
   */
  live?: { text: string; since?: number }
}

/** A function that draws one step of a run, for a pipe, for a screen reader, or for a terminal. */
export type RunLook = (step: RunStep) => RunDrawing

interface RunView {
  readonly view: SessionView
  /**
   * Adds the event to the view and returns the lines that it completes. Call it once for each
   * event, in order.
   */
  take(event: SessionEvent): RunDrawing
  /**
   * Adds the event to the view without drawing it, because it happened before the caller began to
   * show the run.
   */
  skip(event: SessionEvent): void
}

export function openRunView(look: RunLook, thread = ''): RunView {
  let view = emptyView(thread)
  const fold = (event: SessionEvent) => {
    view = foldSessionEvent(view, event)
  }
  return {
    get view() {
      return view
    },
    take(event) {
      const before = view
      fold(event)
      return look({ event, before, view })
    },
    skip: fold,
  }
}

export const progressLook: RunLook = ({ event, before }) => {
  if (event.type === 'tool.result') return { lines: [resultLine(event.payload, before)] }
  if (event.type === 'message.delta')
    return { lines: event.status === 'discarded' ? [retryLine(event.payload)] : [] }
  if (event.type === 'check.ran')
    return { lines: describeCheckRun(event.payload).map(({ mark, text }) => `${mark} ${sanitizeText(text)}`) }
  const remark = remarkOf(event)
  return { lines: remark ? [remark.text] : [] }
}

/** Returns a line about the result of a call, for example `✔ read a.ts:3-9  12 ms`. */
function resultLine(result: EventPayload<'tool.result'>, { calls, announced }: SessionView): string {
  const { call, tool, ok, ms, data, model_call: id } = result
  const running = calls.find((one) => one.call === call)
  // A call that was rejected never ran, so only the model's request names its tool and arguments.
  const refused = announced.find((one) => one.id === id)
  const what = running
    ? labelCall(running.tool, running.args)
    : refused
      ? labelCall(refused.name, refused.args)
      : sanitizeText(tool)
  const spent = ms === undefined ? '' : `  ${formatDuration(ms)}`
  return `${ok ? '✔' : '✖'} ${what}${ok ? noMatch(data) : `  ${failureOf(result)}`}${spent}`
}

/**
 * Returns one line with the name of a tool, its first text argument cut to 100 characters, and the range of
 * lines of a read.
 */
function labelCall(tool: string, args: unknown): string {
  const values = Object.values((args ?? {}) as Record<string, unknown>)
  const first = values.find((value) => typeof value === 'string' && value !== '')
  const text = sanitizeText(String(first ?? '')).slice(0, 100)
  return `${sanitizeText(tool)} ${text}${lineRange(args)}`.trimEnd()
}

/**
 * Returns the range of lines that a read requested, such as `:3-4`; an empty text for a read of
 * the complete file.
 */
function lineRange(args: unknown): string {
  const { read_range: range, start_line, end_line } = (args ?? {}) as Readonly<Record<string, unknown>>
  const [first = start_line, last = end_line] = Array.isArray(range) ? range : []
  if (typeof last === 'number') return `:${typeof first === 'number' ? first : 1}-${last}`
  return typeof first === 'number' && first > 1 ? `:${first}-` : ''
}

/** Returns a note for a search without a match; an empty text for any other result. */
function noMatch(data: unknown): string {
  const { matches, results } = (data ?? {}) as Readonly<Record<string, unknown>>
  const hits = matches ?? results
  return Array.isArray(hits) && hits.length === 0 ? '  no match' : ''
}

function failureOf({ exit, code }: EventPayload<'tool.result'>): string {
  if (code === 'timeout') return 'timed out'
  return exit !== undefined && exit !== 0 ? `exit ${exit}` : (code ?? 'failed')
}

/** Returns a line about the proof of a run's work, or about the reason why it is not proven. */
export const proofLine = (proof: Parameters<typeof describeProof>[0]): string =>
  sanitizeText(describeProof(proof))

interface EventRemark {
  text: string
  isWarning: boolean
}

/**
 * Returns one line, without control characters, for an event that the user should notice, such as a limit or
 * the start of a subagent. Returns undefined for other events.
 */
export function remarkOf(event: SessionEvent): EventRemark | undefined {
  switch (event.type) {
    case 'child.started':
      return toRemark(`> ${sanitizeText(event.payload.title)}  ${event.payload.thread}`)
    case 'model.notice':
      return { text: `! ${sanitizeText(event.payload.text)}`, isWarning: true }
    case 'approval.reviewed': {
      const text = describeReview(event.payload)
      return text === undefined
        ? undefined
        : { text: `! ${sanitizeText(text)}`, isWarning: event.payload.verdict !== 'allow' }
    }
    case 'limit':
      return { text: `! ${sanitizeText(event.payload.message)}`, isWarning: true }
    case 'message':
      return event.payload.role === 'summary' ? toRemark(`~ ${compactionLine(event.payload)}`) : undefined
    default:
      return undefined
  }
}

const toRemark = (text: string): EventRemark => ({ text, isWarning: false })

/**
 * Returns a line about a repeated request, for example `… the connection broke; try 2 of 5, again in 3.0 s`.
 */
export function retryLine(payload: EventPayload<'message.delta'>): string {
  const { why, retry, tries, wait_ms: wait } = payload
  const which = typeof tries === 'number' ? `try ${retry} of ${tries}` : 'trying again'
  const when = typeof wait === 'number' && wait >= 100 ? `, again in ${formatDuration(wait)}` : ''
  return `… ${sanitizeText(why ?? 'the request failed')}; ${which}${when}`
}

interface CompactionCounts {
  /** Number of messages that a summary replaced; 0 if long texts were cut instead. */
  replaced?: number | undefined
  /** Estimated tokens of the conversation before and after it was compacted. */
  tokens?: { before: number; after: number } | undefined
}

/**
 * Returns one line about a compacted conversation: its messages were summarized or, with `replaced` 0, its
 * long texts were cut.
 */
export function compactionLine({ replaced = 0, tokens }: CompactionCounts): string {
  const by = tokens ? ` ${shortCount(tokens.before)} to ${shortCount(tokens.after)} tokens` : ''
  return `compacted${by}, ${replaced === 0 ? 'long texts cut' : countNoun(replaced, 'message')}`
}
