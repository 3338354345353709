// The drawing of a response that is being written. Finished parts are returned once and in order, and the
// rest is drawn anew in each frame.

import type { Token } from 'marked'
import type { CodeToken } from '../../render/markdown/blocks.ts'
import {
  type ListPlace,
  type OpenSplit,
  splitFinished,
  splitItems,
} from '../../render/markdown/finished-blocks.ts'
import { drawReadBlocks } from '../../render/markdown/markdown.ts'
import { splitRows } from '../../render/markdown/paragraph-rows.ts'
import { readBlocks } from '../../render/markdown/read-blocks.ts'
import type { RenderLook } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { OpenReply } from '../../session/snapshot.ts'
import { describeRetry } from '../../session/view/fold.ts'
import { formatDuration } from '../duration.ts'
import { countNarrowRows } from '../terminal/live-reflow.ts'
import { indentLines, margin, narrowLook } from '../view/look-pen.ts'
import { drawDim } from './message.ts'

/** The state of splitting one response into parts. */
export interface ReplyParts {
  /** Start time of the response, which identifies it. */
  readonly since: number
  /** Number of characters of the response that were read. */
  readonly taken: number
  /**
   * The finished text (`given`), the text after it that may still change (`open`), and the opening line of
   * the code block in which the open text starts (`fence`).
   */
  readonly given: string
  readonly open: string
  readonly fence: string
  /**
   * How the list or paragraph in which the open text starts continues; undefined if none of its items or
   * drawn rows is finished.
   */
  readonly list: ListPlace | undefined
  /**
   * The text of an interrupted attempt that the screen already shows. The same text is not returned again.
   */
  readonly repeats: StandingText | undefined
}

/**
 * Finished text of a response, with the code block, list or paragraph in which the following text starts.
 */
interface StandingText {
  text: string
  fence: string
  list: ListPlace | undefined
}

export const noReplyParts: ReplyParts = {
  since: 0,
  taken: 0,
  given: '',
  open: '',
  fence: '',
  list: undefined,
  repeats: undefined,
}

/** A finished part of a response, with the code block or list in which the part starts. */
export interface FinishedPart extends StandingText {
  /** True if the screen shows another part of the response above this one. */
  follows: boolean
  /** True if the part ends within a code block that continues below. */
  endsInCode: boolean
  /** The parsed blocks of the part, if its text was parsed as it arrived. */
  blocks?: readonly Token[]
  /** The last lines, above the part, of the code block in which the part starts. */
  earlier?: string
}

interface ReplyAdvance {
  parts: ReplyParts
  finished: FinishedPart | undefined
}

/** Largest number of characters that are read for one frame, because a fast response must not delay keys. */
const maxTakenChars = 65_536

/** Returns the finished rows of an open list or paragraph that is too tall, or undefined. */
type SplitTall = (text: string, number: number | undefined) => OpenSplit | undefined

/**
 * Reads the current text of the response. Returns the next state, and the part that became final, if any.
 * `splitTall` makes a part of the finished rows of a tall block.
 */
export function advanceReply(
  parts: ReplyParts,
  { text, since }: Pick<OpenReply, 'text' | 'since'>,
  splitTall: SplitTall = () => undefined,
): ReplyAdvance {
  const isSame = parts.since === since && text.length >= parts.taken
  const before = isSame ? parts : restartReply(parts, since)
  const takenChars = Math.min(text.length, before.taken + maxTakenChars)
  const split = splitFinished(before.open + text.slice(before.taken, takenChars), before.fence)
  const inList = split.done === '' ? before.list : undefined
  const items = split.fence === '' ? splitTall(split.open, inList?.number) : undefined
  const done = split.done + (items?.done ?? '')
  const open = split.open.slice(items?.done.length ?? 0)
  const list = items ? items.next : inList
  const next = { ...before, taken: takenChars, given: before.given + done, open, fence: split.fence, list }
  if (done === '') return { parts: next, finished: undefined }
  if (before.repeats) return catchUp(next, before.repeats, false)
  const { fence, list: openList, given: givenText } = before
  const endsInCode = split.fence !== ''
  const blocks = items || openList ? undefined : split.blocks
  const earlier = readEarlierCode(givenText, fence)
  const finished = {
    text: done,
    fence,
    list: openList,
    follows: givenText !== '',
    endsInCode,
    blocks,
    earlier,
  }
  return { parts: next, finished }
}

/**
 * Returns the rest of the final text; undefined without a rest. If the text differs from that on the screen,
 * returns all of it.
 */
export function finishReply(parts: ReplyParts, text: string): FinishedPart | undefined {
  const finalText = sanitizeText(text, { keepLines: true })
  const stands = parts.repeats ?? { text: parts.given, fence: parts.fence, list: parts.list }
  // The final text may lack spaces at its end that the arriving text had.
  const isTrimmed = !finalText.startsWith(stands.text)
  const trimmed = isTrimmed ? { ...stands, text: stands.text.trimEnd() } : stands
  return catchUp({ ...parts, given: finalText }, trimmed, true).finished
}

/** Returns the state for a new attempt. The text of the interrupted attempt stays on the screen. */
function restartReply({ given: givenText, fence, list, repeats }: ReplyParts, since: number): ReplyParts {
  const stands = repeats ?? (givenText === '' ? undefined : { text: givenText, fence, list })
  return { ...noReplyParts, since, repeats: stands }
}

/**
 * Largest number of characters of a code block that are read again for its colors, so that long comments
 * and strings continue.
 */
const maxEarlierChars = 2_000

/** Returns the last complete lines of the open code block at the end of a text. */
function readEarlierCode(text: string, fence: string): string {
  if (fence === '') return ''
  const from = Math.max(0, text.length - maxEarlierChars)
  const opening = text.lastIndexOf(`\n${fence}`)
  if (opening >= from) return text.slice(opening + 1 + fence.length)
  if (from === 0) return text.startsWith(fence) ? text.slice(fence.length) : text
  return text.slice(text.indexOf('\n', from) + 1)
}

const whole = { fence: '', list: undefined, follows: true }

/**
 * Returns the part of a repeated response after the text on the screen. While the response repeats that text,
 * returns no part; once it differs, returns all of it.
 */
function catchUp(parts: ReplyParts, stands: StandingText, isWhole: boolean): ReplyAdvance {
  const { given: givenText, fence } = parts
  const endsInCode = !isWhole && fence !== ''
  if (givenText.startsWith(stands.text)) {
    const text = givenText.slice(stands.text.length)
    const earlier = readEarlierCode(stands.text, stands.fence)
    const part = { ...stands, text, follows: stands.text !== '', endsInCode, earlier }
    return { parts: { ...parts, repeats: undefined }, finished: text === '' ? undefined : part }
  }
  if (!isWhole && stands.text.startsWith(givenText)) return { parts, finished: undefined }
  return { parts: { ...parts, repeats: undefined }, finished: { ...whole, text: givenText, endsInCode } }
}

/**
 * Returns the lines of a part of a response. An empty line precedes them, unless the part is the first or
 * directly continues a code block, a paragraph or a list. `indent` is the number of spaces before each line.
 */
export function drawFinishedPart(part: FinishedPart, look: RenderLook, indent = margin): string[] {
  const lines = drawPart(part, look, indent)
  return part.follows && isSetApart(part) && lines.length > 0 ? ['', ...lines] : lines
}

function drawPart(part: FinishedPart, look: RenderLook, indent: number): string[] {
  const { text, fence, endsInCode, blocks } = part
  // An empty line at the end of code would be lost, so a further line is added for drawing and then removed.
  if (!blocks && endsInCode) return drawBehind(`${text}.`, part, look, indent).slice(0, -1)
  if (!blocks) return drawBehind(text, part, look, indent)
  const lines = indentLines(drawReadBlocks(continueCode(blocks, part), narrowLook(look, indent)), indent)
  const [first, second] = blocks
  const isOver = second !== undefined || !endsInCode
  // Code that continues from above and ends immediately has no line in this part.
  return fence !== '' && isOver && first?.type === 'code' && first.text === '' ? lines.slice(1) : lines
}

/** Adds the code lines above the part to its first block, if that block continues their code. */
function continueCode(
  blocks: readonly Token[],
  { fence, earlier = '' }: Pick<FinishedPart, 'fence' | 'earlier'>,
): readonly Token[] {
  const [first, ...others] = blocks
  return fence !== '' && first?.type === 'code' ? [{ ...first, earlier } as CodeToken, ...others] : blocks
}

const isSetApart = ({ fence, list }: Pick<StandingText, 'fence' | 'list'>) =>
  fence === '' && (list?.isApart ?? true)

/**
 * Number of last rows of a growing paragraph that are not printed yet, because the next words
 * may change them.
 */
const openRows = 2

/**
 * Returns a function that splits a list or paragraph if it would need more than `rows` rows in a narrower
 * terminal. The function returns undefined for fewer rows, and if it cannot split the text.
 */
export function createTallSplit(rows: number, look: RenderLook): SplitTall {
  const draw = (text: string) => drawBehind(text, noReplyParts, look)
  return (text, number) => {
    if (text.length <= rows) return undefined
    const drawn = draw(text)
    if (countNarrowRows(drawn, look.width) <= rows) return undefined
    return splitItems(text, number) ?? splitRows(text, draw, drawn.length - openRows)
  }
}

/**
 * Largest number of characters of an open part that are drawn, because only the end of the part is visible.
 */
const maxOpenChars = 16_384

/**
 * Returns the lines of the open part. Returns an empty list while a new attempt repeats the text
 * on the screen.
 */
export function drawOpenPart(parts: ReplyParts, look: RenderLook): string[] {
  const { open, given: givenText, repeats } = parts
  if (repeats) return []
  const text =
    open.length > maxOpenChars ? open.slice(open.indexOf('\n', open.length - maxOpenChars) + 1) : open
  const lines = drawBehind(text, { ...parts, earlier: readEarlierCode(givenText, parts.fence) }, look)
  return givenText !== '' && isSetApart(parts) && lines.length > 0 ? ['', ...lines] : lines
}

/** Returns the lines of a text that continues a code block, or a list with its numbers. */
function drawBehind(
  text: string,
  part: Pick<FinishedPart, 'fence' | 'list' | 'earlier'>,
  look: RenderLook,
  indent = margin,
): string[] {
  if (text === '') return []
  const { fence, list } = part
  const number = list?.number
  const whole = number === undefined ? fence + text : text.replace(/^(\s*)\d+/, `$1${number}`)
  const blocks = continueCode(readBlocks(sanitizeText(whole, { keepLines: true })), part)
  const lines = indentLines(drawReadBlocks(blocks, narrowLook(look, indent)), indent)
  // The end of a code block that started above would be drawn as an empty line, which is removed.
  return fence !== '' && /^ {0,3}(`{3,}|~{3,})/.test(text) && lines[0] === '' ? lines.slice(1) : lines
}

/**
 * Returns one dim line after a failed attempt, and while the model has sent no text. Otherwise returns
 * an empty list.
 */
export function drawReplyState(reply: OpenReply, now: number, look: RenderLook): string[] {
  const { retry, text, reasoning, since } = reply
  if (retry) return drawDim(describeRetry(retry, since + (retry.waitMs ?? 0) - now), look)
  if (text !== '') return []
  return drawDim(
    `${reasoning === '' ? 'waiting for the model' : 'thinks'}  ${formatDuration(now - since)}`,
    look,
  )
}
