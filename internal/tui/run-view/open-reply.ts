// A reply that is being written: finished parts leave it once, in order, and the open rest is drawn anew.

import type { Token } from 'marked'
import { type ListPlace, splitFinished, splitItems } from '../../render/markdown/finished-blocks.ts'
import { drawMarkdown, drawReadBlocks } from '../../render/markdown/markdown.ts'
import type { RenderLook } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { OpenReply } from '../../session/snapshot.ts'
import { describeRetry } from '../../session/view/fold.ts'
import { formatDuration } from '../duration.ts'
import { indentLines, margin, narrowLook } from '../view/look-pen.ts'
import { drawDim } from './message.ts'

/** How far the text of one reply was taken apart. */
export interface ReplyParts {
  /** When the reply began; another time is another reply. */
  readonly since: number
  /** Characters that were looked at. */
  readonly taken: number
  /** The finished text, the rest, and the first line of the code block that the rest begins in. */
  readonly given: string
  readonly open: string
  readonly fence: string
  /** The list in which the rest begins, where items of it were finished alone. */
  readonly list: ListPlace | undefined
  /** What stands there of a try that broke off; nothing of it is given twice. */
  readonly repeats: StandingText | undefined
}

/** Finished text, and the fence or list in which the next begins. */
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

/** A finished part, with the fence or list in which it begins. */
export interface FinishedPart extends StandingText {
  /** Something of the reply stands above. */
  follows: boolean
  /** It ends within a block of code that continues below. */
  endsInCode: boolean
  /** Its blocks, where the text was read as it came. */
  blocks?: readonly Token[]
}

interface Advance {
  parts: ReplyParts
  finished: FinishedPart | undefined
}

/** So much is taken in for one frame: a reply that comes faster than it is drawn must not hold up keys. */
const maxTakenChars = 65_536

/** Takes in the reply as it stands now. Of a list that `isTall` the finished items are finished alone. */
export function advanceReply(
  parts: ReplyParts,
  { text, since }: Pick<OpenReply, 'text' | 'since'>,
  isTall: (text: string) => boolean = () => false,
): Advance {
  const isSame = parts.since === since && text.length >= parts.taken
  const before = isSame ? parts : restartReply(parts, since)
  const taken = Math.min(text.length, before.taken + maxTakenChars)
  const split = splitFinished(before.open + text.slice(before.taken, taken), before.fence)
  const inList = split.done === '' ? before.list : undefined
  const closed = split.fence === '' ? splitItems(split.open, inList?.number) : undefined
  const items = closed && isTall(split.open) ? closed : undefined
  const done = split.done + (items?.done ?? '')
  const open = split.open.slice(items?.done.length ?? 0)
  const list = items ? items.next : inList
  const next = { ...before, taken, given: before.given + done, open, fence: split.fence, list }
  if (done === '') return { parts: next, finished: undefined }
  if (before.repeats) return catchUp(next, before.repeats, false)
  const { fence, list: begun, given } = before
  const endsInCode = split.fence !== ''
  const blocks = items || begun ? undefined : split.blocks
  const finished = { text: done, fence, list: begun, follows: given !== '', endsInCode, blocks }
  return { parts: next, finished }
}

/** The rest of a reply by its final text; whole where it says something else than what stands there. */
export function finishReply(parts: ReplyParts, text: string): FinishedPart | undefined {
  const given = sanitizeText(text, { keepLines: true })
  const stands = parts.repeats ?? { text: parts.given, fence: parts.fence, list: parts.list }
  // the final text may be without the blanks at its end
  const isTrimmed = !given.startsWith(stands.text)
  const trimmed = isTrimmed ? { ...stands, text: stands.text.trimEnd() } : stands
  return catchUp({ ...parts, given }, trimmed, true).finished
}

/** A try that broke off begins again: what was given stays where it stands. */
function restartReply({ given, fence, list, repeats }: ReplyParts, since: number): ReplyParts {
  const stands = repeats ?? (given === '' ? undefined : { text: given, fence, list })
  return { ...noReplyParts, since, repeats: stands }
}

const whole = { fence: '', list: undefined, follows: true }

/** What a reply says beyond the text that stands there; nothing as long as it says the same. */
function catchUp(parts: ReplyParts, stands: StandingText, isWhole: boolean): Advance {
  const { given, fence } = parts
  const endsInCode = !isWhole && fence !== ''
  if (given.startsWith(stands.text)) {
    const text = given.slice(stands.text.length)
    const part = { ...stands, text, follows: stands.text !== '', endsInCode }
    return { parts: { ...parts, repeats: undefined }, finished: text === '' ? undefined : part }
  }
  if (!isWhole && stands.text.startsWith(given)) return { parts, finished: undefined }
  return { parts: { ...parts, repeats: undefined }, finished: { ...whole, text: given, endsInCode } }
}

/** An empty line stands above a part, but within code or a list. `indent`: cells before each line. */
export function drawFinishedPart(part: FinishedPart, look: RenderLook, indent = margin): string[] {
  const lines = drawPart(part, look, indent)
  return part.follows && isSetApart(part) && lines.length > 0 ? ['', ...lines] : lines
}

function drawPart(part: FinishedPart, look: RenderLook, indent: number): string[] {
  const { text, fence, endsInCode, blocks } = part
  // an empty line at the end of code is drawn twice unless a line follows
  if (!blocks && endsInCode) return drawBehind(`${text}.`, part, look, indent).slice(0, -1)
  if (!blocks) return drawBehind(text, part, look, indent)
  const lines = indentLines(drawReadBlocks(blocks, narrowLook(look, indent)), indent)
  const [first, second] = blocks
  const isOver = second !== undefined || !endsInCode
  // code that continues from above and ends at once has no line here
  return fence !== '' && isOver && first?.type === 'code' && first.text === '' ? lines.slice(1) : lines
}

const isSetApart = ({ fence, list }: Pick<StandingText, 'fence' | 'list'>) =>
  fence === '' && (list?.isApart ?? true)

/** Whether a text takes more rows than that. */
export const isTallerThan = (rows: number, look: RenderLook) => (text: string) =>
  text.length > rows && drawBehind(text, noReplyParts, look).length > rows

/** Of an open part only its end can be seen. */
const maxOpenChars = 16_384

/** What is open; nothing while a reply says again what stands there. */
export function drawOpenPart(parts: ReplyParts, look: RenderLook): string[] {
  const { open, given, repeats } = parts
  if (repeats) return []
  const text =
    open.length > maxOpenChars ? open.slice(open.indexOf('\n', open.length - maxOpenChars) + 1) : open
  const lines = drawBehind(text, parts, look)
  return given !== '' && isSetApart(parts) && lines.length > 0 ? ['', ...lines] : lines
}

/** A text that goes on with a block of code, or with a list, whose numbers go on too. */
function drawBehind(
  text: string,
  { fence, list }: Pick<StandingText, 'fence' | 'list'>,
  look: RenderLook,
  indent = margin,
): string[] {
  if (text === '') return []
  const number = list?.number
  const whole = number === undefined ? fence + text : text.replace(/^(\s*)\d+/, `$1${number}`)
  const lines = indentLines(drawMarkdown(whole, narrowLook(look, indent)), indent)
  // the end of a block whose lines stand above is drawn as an empty line
  return fence !== '' && /^ {0,3}(`{3,}|~{3,})/.test(text) && lines[0] === '' ? lines.slice(1) : lines
}

/** One dim line for what is thought and not said, or for a request that failed before a word came. */
export function drawReplyState(reply: OpenReply, now: number, look: RenderLook): string[] {
  const { retry, text, reasoning, since } = reply
  if (retry) return drawDim(describeRetry(retry, since + (retry.waitMs ?? 0) - now), look)
  if (text !== '') return []
  return drawDim(
    `${reasoning === '' ? 'waits for the model' : 'thinks'}  ${formatDuration(now - since)}`,
    look,
  )
}
