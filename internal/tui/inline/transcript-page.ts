// The page with the whole conversation, in which results open one by one or all together. The
// functions are pure.
import { appendLines } from '../../base/text/append-lines.ts'
import type { RenderLook } from '../../render/pen.ts'
import type { ConversationBlock, SessionView } from '../../session/view/session-view.ts'
import type { KeyPress } from '../input/key-press.ts'
import { framePage } from '../page/live-page.ts'
import {
  findNext,
  type LineSearch,
  markFound,
  meanShownBlock,
  writeSearch,
} from '../page/transcript-search.ts'
import { drawResultText } from '../run-view/call-view.ts'
import {
  type ConversationPart,
  drawConversation,
  findMainBlock,
  partConversation,
} from '../run-view/conversation.ts'
import { penOfLook } from '../view/look-pen.ts'

interface LaidOutBlocks {
  lines: readonly string[]
  /**
   * The first line of each part of the conversation, with the block that represents the part (the
   * first visible one).
   */
  starts: readonly { line: number; block: ConversationBlock }[]
}

interface OpenedResults {
  all: boolean
  /** Ids of the blocks whose state (open or closed) differs from `all`. */
  others: ReadonlySet<string>
}

const noneOpened: OpenedResults = { all: false, others: new Set() }

export interface TranscriptPage extends LaidOutBlocks {
  /** The view from which the lines were made. */
  view: SessionView
  width: number
  top: number
  /** Index in `starts` of the selected part. */
  at: number
  readonly opened: OpenedResults
  readonly search: LineSearch
}

/** The content of the page: the view, and the blocks before it that were read. */
export interface TranscriptSource {
  view: SessionView
  earlier?: { blocks: readonly ConversationBlock[] } | undefined
  /** First line of the page: the number of events before the first block, or the title of the subagent. */
  before: string
}

export function openTranscript(
  source: TranscriptSource,
  look: RenderLook,
  rows: number,
  now: number,
): TranscriptPage {
  const laidOut = layOut(source, look, now, noneOpened)
  const { width } = look
  const top = lastTop(laidOut.lines, rows)
  const at = Math.max(0, laidOut.starts.length - 1)
  const fresh = { opened: noneOpened, search: { text: '', isOpen: false } }
  return { ...laidOut, ...fresh, view: source.view, width, top, at }
}

/**
 * Returns the page for the current size. `isGrowing` means that the page follows its source, and stays at the
 * end if it was there. Other pages are laid out again only for another width, so that they do not change
 * while the user reads them.
 */
export function fitTranscript(
  page: TranscriptPage,
  source: TranscriptSource,
  look: RenderLook,
  rows: number,
  isGrowing: boolean,
): TranscriptPage {
  const { width } = look
  const end = lastTop(page.lines, rows)
  if (page.width === width && !(isGrowing && page.view !== source.view))
    return { ...page, top: Math.min(page.top, end) }
  const laidOut = layOut(source, look, Date.now(), page.opened)
  const { lines } = laidOut
  const moved =
    page.width === width ? page.top : Math.round((page.top / Math.max(1, page.lines.length)) * lines.length)
  const last = lastTop(lines, rows)
  const top = isGrowing && page.top >= end ? last : Math.min(moved, last)
  const search = page.width === width ? page.search : { ...page.search, found: undefined }
  return { ...page, ...laidOut, search, view: source.view, width, top }
}

/** Returns the page with more blocks added above, scrolled to the same position in the text. */
export function extendTranscript(
  page: TranscriptPage,
  source: TranscriptSource,
  look: RenderLook,
): TranscriptPage {
  const laidOut = layOut(source, look, Date.now(), page.opened)
  const more = laidOut.lines.length - page.lines.length
  const top = Math.max(0, page.top + more)
  const { found: matchLine = -1 } = page.search
  const search = { ...page.search, found: matchLine < 0 ? undefined : matchLine + more }
  const at = Math.max(0, page.at + laidOut.starts.length - page.starts.length)
  return { ...page, ...laidOut, search, view: source.view, top, at }
}

function layOut(
  { view, earlier, before }: TranscriptSource,
  look: RenderLook,
  now: number,
  opened: OpenedResults,
): LaidOutBlocks {
  const lines = before === '' ? [] : [` ${before}`, '']
  const starts: { line: number; block: ConversationBlock }[] = []
  const parts = partConversation([...(earlier?.blocks ?? []), ...view.blocks], true)
  const all = { ...look, all: true }
  for (const [i, part] of parts.entries()) {
    const block = findMainBlock(part)
    if (!block) continue
    const isOpened = opened.others.has(block.id) !== opened.all
    const drawn = isOpened
      ? drawOpened(part.blocks, now, all, parts[i - 1])
      : drawConversation([part], now, look, parts[i - 1])
    // The lines of a part may start with an empty line, which does not count as the start of its block.
    if (drawn.length > 0) starts.push({ line: lines.length + (drawn[0] === '' ? 1 : 0), block })
    appendLines(lines, drawn)
  }
  return { lines, starts }
}

/**
 * Returns the lines of an opened part. Reads in one part are shown separately, and each call has its result
 * as the model got it, at most 2,000 lines.
 */
function drawOpened(
  blocks: readonly ConversationBlock[],
  now: number,
  look: RenderLook,
  previous: ConversationPart | undefined,
): string[] {
  const parts = blocks.map((block) => ({ blocks: [block], isFinal: true }))
  return parts.flatMap((part, i) => {
    const lines = drawConversation([part], now, look, parts[i - 1] ?? previous)
    const [block] = part.blocks
    return block?.kind === 'call' ? [...lines, ...drawResultText(block, lines, look)] : lines
  })
}

/** Opens or closes the result of `block`. Without a block, opens or closes all results. */
export function toggleResults(
  page: TranscriptPage,
  block: ConversationBlock | undefined,
  source: TranscriptSource,
  look: RenderLook,
  rows: number,
): TranscriptPage {
  const { all, others } = page.opened
  const rest = [...others].filter((id) => id !== block?.id)
  const opened = block
    ? { all, others: new Set(others.has(block.id) ? rest : [...rest, block.id]) }
    : { all: !all, others: noneOpened.others }
  const laidOut = layOut(source, look, Date.now(), opened)
  const moved = (laidOut.starts[page.at]?.line ?? 0) - (page.starts[page.at]?.line ?? 0)
  // The selected part keeps its row on the screen, so that the user does not lose it.
  const top = Math.max(0, Math.min(page.top + moved, lastTop(laidOut.lines, rows)))
  const search = { ...page.search, found: undefined }
  return { ...page, ...laidOut, search, opened, view: source.view, top }
}

export const findMeantBlock = ({ starts, at }: TranscriptPage): ConversationBlock | undefined =>
  starts[at]?.block

/** Selects the next or previous part and scrolls it into view. */
function moveToBlock(page: TranscriptPage, step: number, rows: number): TranscriptPage {
  const at = Math.max(0, Math.min(page.at + step, page.starts.length - 1))
  const line = page.starts[at]?.line ?? 0
  const isSeen = line >= page.top && line < page.top + rows - 1
  const top = isSeen ? page.top : Math.max(0, Math.min(line - 1, lastTop(page.lines, rows)))
  return { ...page, at, top }
}

const lastTop = (lines: readonly string[], rows: number) => Math.max(0, lines.length - (rows - 1))

/** Returns the page after a key; undefined if the key closes the page. */
export function pressTranscriptKey(
  page: TranscriptPage,
  press: KeyPress,
  rows: number,
): TranscriptPage | undefined {
  if (page.search.isOpen) return writeSearch(page, press, rows)
  const by = (step: number) => {
    const top = Math.max(0, Math.min(page.top + step, lastTop(page.lines, rows)))
    return meanShownBlock({ ...page, top }, rows)
  }
  switch (press.key) {
    case 'escape':
    case 'q':
    case 'ctrl-o':
    case 'ctrl-c':
      return undefined
    case 'up':
    case 'k':
      return by(-1)
    case 'down':
    case 'j':
      return by(1)
    case 'pageup':
    case 'b':
      return by(2 - rows)
    case 'pagedown':
    case 'space':
      return by(rows - 2)
    case 'home':
    case 'g':
      return by(-page.lines.length)
    case 'end':
    case 'G':
      return by(page.lines.length)
    case 'tab':
      return moveToBlock(page, 1, rows)
    case 'shift-tab':
      return moveToBlock(page, -1, rows)
    case '/':
      return { ...page, search: { text: '', isOpen: true } }
    case 'n':
      return findNext(page, 1, rows)
    case 'N':
      return findNext(page, -1, rows)
    default:
      return page
  }
}

export function drawTranscript(
  { lines, top, search, starts, at }: TranscriptPage,
  look: RenderLook,
  rows: number,
): string[] {
  const pen = penOfLook(look)
  const meant = starts[at]?.line
  const mark = (line: string, i: number) => {
    const markedLine = top + i === search.found ? markFound(line, search.text, pen) : line
    return top + i === meant && markedLine.startsWith(' ') ? `>${markedLine.slice(1)}` : markedLine
  }
  const visibleLines = lines.slice(top, top + rows - 1).map(mark)
  const place = `lines ${Math.min(top + 1, lines.length)}-${top + visibleLines.length} of ${lines.length}`
  const keys = search.isOpen
    ? pen.clip(`/${search.text}`, look.width - 1, 'end')
    : [
        search.found === -1 ? `not found: ${search.text}` : place,
        ...pageKeys(search.text !== ''),
        'Esc back',
      ].join('  ')
  return framePage(visibleLines, keys, look, rows)
}

const pageKeys = (isSearched: boolean) => [
  ...['Enter opens', 'Tab next', '/ search'],
  ...(isSearched ? ['n N next'] : []),
  ...['e all', 'y copies', 'v whole'],
]
