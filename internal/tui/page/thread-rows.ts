// The rows of the thread page, which shows the list and the preview of the selected thread. The
// functions are pure.
import type { RenderLook } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { ThreadSummary } from '../../session/client.ts'
import type { SessionView } from '../../session/view/session-view.ts'
import { threadFacts } from '../dialog/palette.ts'
import { drawConversation, partConversation } from '../run-view/conversation.ts'
import { drawDim } from '../run-view/message.ts'
import { costFacts } from '../run-view/run-end.ts'
import { margin, narrowLook, penOfLook, spreadLine } from '../view/look-pen.ts'
import { framePage } from './live-page.ts'

export interface ThreadPageState {
  /** The threads; undefined while they are being read. */
  threads: readonly ThreadSummary[] | undefined
  /** Index of the selected thread. */
  at: number
  /** The typed query. After a slash, the query searches the text of messages. */
  query: string
  /** The new title of the selected thread while it is typed. */
  rename: string | undefined
  /** True if the user must press the key again to confirm that the thread is archived. */
  isArmed: boolean
  /** Message about the last action that failed; empty after the next key. */
  note: string
  preview: ThreadPreview | undefined
}

export interface ThreadPreview {
  /** The last blocks (messages, calls) of the thread. */
  blocks: SessionView['blocks']
  /**
   * Cost of the thread's runs in US dollars; null if a price was unknown, undefined if the cost was not read.
   */
  usd: number | null | undefined
}

/**
 * Smallest number of columns at which the preview is at the right of the list. On narrower screens it is
 * below the list, if the screen has enough rows.
 */
const wideColumns = 100
const rowsForPreview = 18

export function drawThreadPage(
  state: ThreadPageState,
  look: RenderLook,
  rows: number,
  now: number,
): string[] {
  const pen = penOfLook(look)
  const count = state.threads ? `${state.threads.length}` : 'loading'
  const head = [
    ` ${pen.paint({ bold: true })(spreadLine('Threads', count, look.width - margin, pen))}`,
    ` ${pen.clip(promptOf(state), look.width - margin, 'end')}`,
    '',
  ]
  const room = Math.max(1, rows - 1 - head.length)
  const body =
    look.width >= wideColumns ? drawBeside(state, look, room, now) : drawBelow(state, look, room, now)
  return framePage([...head, ...body], keysOf(state), look, rows)
}

function promptOf({ query, rename }: ThreadPageState): string {
  if (rename !== undefined) return `new title: ${sanitizeText(rename)}_`
  return query.startsWith('/')
    ? `/ in messages: ${sanitizeText(query.slice(1))}_`
    : `> ${sanitizeText(query)}_`
}

function keysOf({ isArmed, note, rename }: ThreadPageState): string {
  if (note !== '') return sanitizeText(note)
  if (rename !== undefined) return 'Enter renames   Esc cancels'
  if (isArmed) return 'Ctrl-X again archives it; anode threads list --archived shows it'
  return 'Enter resumes  Ctrl-F copy  Ctrl-R title  Ctrl-X archive  / search  Esc back'
}

/** Returns the rows with the list at the left and the preview at the right. */
function drawBeside(state: ThreadPageState, look: RenderLook, rows: number, now: number): string[] {
  const pen = penOfLook(look)
  const leftLook = narrowLook(look, Math.floor(look.width * 0.5))
  const list = drawList(state, leftLook, rows, now)
  const preview = drawPreview(state, narrowLook(look, leftLook.width + 3), rows, now)
  const edge = pen.paint({ dim: true })(pen.glyphs.borders.single.side)
  return Array.from({ length: rows }, (_, i) => {
    const row = list[i] ?? { text: '', cells: 0 }
    return `${row.text}${' '.repeat(Math.max(0, leftLook.width - row.cells))} ${edge} ${preview[i] ?? ''}`
  })
}

function drawBelow(state: ThreadPageState, look: RenderLook, rows: number, now: number): string[] {
  const height = rows < rowsForPreview ? 0 : Math.floor(rows / 2)
  const list = drawList(state, look, rows - height, now).map(({ text }) => text)
  if (height === 0) return list
  const pen = penOfLook(look)
  const blank = Array.from({ length: rows - height - list.length }, () => '')
  const rule = pen.paint({ dim: true })(pen.glyphs.borders.single.top.repeat(look.width))
  return [...list, ...blank, rule, ...drawPreview(state, look, height - 1, now)]
}

interface ListRow {
  text: string
  cells: number
}

function drawList(
  { threads, at, query }: ThreadPageState,
  look: RenderLook,
  rows: number,
  now: number,
): ListRow[] {
  const pen = penOfLook(look)
  if (!threads) return []
  if (threads.length === 0) {
    const text = query === '' ? 'No threads in this workspace yet.' : 'No matches.'
    return [{ text: ` ${pen.clip(text, look.width - margin)}`, cells: look.width }]
  }
  const lines = threads.flatMap((thread, i) => entryRows(thread, i === at, look, now))
  const first = lines.findIndex(({ isMeant }) => isMeant)
  const top = Math.max(0, Math.min(first - Math.floor(rows / 3), lines.length - rows))
  return lines.slice(top, top + rows)
}

/**
 * Returns a row with title and age of a thread, and if the list is wide its profile and number of events. If
 * a search found the thread, a row with the match follows.
 */
function entryRows(
  summary: ThreadSummary,
  isMeant: boolean,
  look: RenderLook,
  now: number,
): (ListRow & { isMeant: boolean })[] {
  const pen = penOfLook(look)
  const { thread, title, snippet } = summary
  const facts = threadFacts(summary, now)
  const width = look.width - margin - 2
  const right = facts.slice(0, width >= 60 ? 3 : 1).join('  ')
  const line = spreadLine(sanitizeText(title) || sanitizeText(thread), right, width, pen)
  const text = ` ${isMeant ? '> ' : '  '}${pen.paint(isMeant ? { inverse: true } : {})(line)}`
  const snippetLine = snippet === undefined ? undefined : pen.clip(sanitizeText(snippet), width - 2)
  return [
    { text, cells: margin + 2 + pen.cells(line), isMeant },
    ...(snippetLine === undefined
      ? []
      : [
          {
            text: `     ${pen.paint({ dim: true })(snippetLine)}`,
            cells: 5 + pen.cells(snippetLine),
            isMeant: false,
          },
        ]),
  ]
}

function drawPreview(
  { preview, threads, at }: ThreadPageState,
  look: RenderLook,
  rows: number,
  now: number,
): string[] {
  const thread = threads?.[at]
  if (!thread) return []
  if (!preview) return drawDim('loading', look)
  const cost = costFacts(preview.usd)
  const facts = [...threadFacts(thread, now), ...cost, sanitizeText(thread.model)].filter(
    (fact) => fact !== '',
  )
  const pen = penOfLook(look)
  const head = drawDim(pen.clip(facts.join('  '), look.width - margin), look)
  const lines = drawConversation(partConversation(preview.blocks, true), now, look)
  return [...head, ...lines.slice(-Math.max(0, rows - head.length))]
}
