// A reply that is being written: finished parts leave it once, in order, and the open rest is drawn anew.
import { splitFinished } from '../../render/markdown/finished-blocks.ts'
import { drawMarkdown } from '../../render/markdown/markdown.ts'
import type { RenderLook } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { OpenReply } from '../../session/snapshot.ts'
import { formatDuration } from '../duration.ts'
import { indentLines, margin, narrowLook } from './look-pen.ts'
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
  /** What stands there of a try that broke off; nothing of it is given twice. */
  readonly repeats: { text: string; fence: string } | undefined
}

export const noReplyParts: ReplyParts = {
  ...{ since: 0, taken: 0, given: '', open: '', fence: '' },
  repeats: undefined,
}

/** A finished part, with the fence in which it begins. */
interface FinishedPart {
  text: string
  fence: string
  /** Something of the reply stands above. */
  follows: boolean
}

interface Advance {
  parts: ReplyParts
  finished: FinishedPart | undefined
}

/** Takes in the reply as it stands now. */
export function advanceReply(parts: ReplyParts, { text, since }: Pick<OpenReply, 'text' | 'since'>): Advance {
  const isSame = parts.since === since && text.length >= parts.taken
  const before = isSame ? parts : restartReply(parts, since)
  const split = splitFinished(before.open + text.slice(before.taken), before.fence)
  const given = before.given + split.done
  const next = { ...before, taken: text.length, given, open: split.open, fence: split.fence }
  if (split.done === '') return { parts: next, finished: undefined }
  if (before.repeats) return catchUp(next, before.repeats, false)
  const finished = { text: split.done, fence: before.fence, follows: before.given !== '' }
  return { parts: next, finished }
}

/** The rest of a reply by its final text; whole where it says something else than what stands there. */
export function finishReply(parts: ReplyParts, text: string): FinishedPart | undefined {
  const given = sanitizeText(text, { keepLines: true })
  const stands = parts.repeats ?? { text: parts.given, fence: parts.fence }
  // the final text may be without the blanks at its end
  const isTrimmed = !given.startsWith(stands.text)
  const trimmed = isTrimmed ? { ...stands, text: stands.text.trimEnd() } : stands
  return catchUp({ ...parts, given }, trimmed, true).finished
}

/** A try that broke off begins again: what was given stays where it stands. */
function restartReply({ given, fence, repeats }: ReplyParts, since: number): ReplyParts {
  const stands = repeats ?? (given === '' ? undefined : { text: given, fence })
  return { ...noReplyParts, since, repeats: stands }
}

/** What a reply says beyond the text that stands there; nothing as long as it says the same. */
function catchUp(parts: ReplyParts, stands: { text: string; fence: string }, isWhole: boolean): Advance {
  const { given } = parts
  if (given.startsWith(stands.text)) {
    const text = given.slice(stands.text.length)
    const part = { text, fence: stands.fence, follows: stands.text !== '' }
    return { parts: { ...parts, repeats: undefined }, finished: text === '' ? undefined : part }
  }
  if (!isWhole && stands.text.startsWith(given)) return { parts, finished: undefined }
  return { parts: { ...parts, repeats: undefined }, finished: { text: given, fence: '', follows: true } }
}

/** An empty line stands above a part, but within a block of code. */
export function drawFinishedPart({ text, fence, follows }: FinishedPart, look: RenderLook): string[] {
  const lines = drawBehindFence(text, fence, look)
  return follows && fence === '' && lines.length > 0 ? ['', ...lines] : lines
}

/** Of an open part only its end can be seen. */
const maxOpenChars = 16_384

/** What is open; nothing while a reply says again what stands there. */
export function drawOpenPart({ open, fence, given, repeats }: ReplyParts, look: RenderLook): string[] {
  if (repeats) return []
  const text =
    open.length > maxOpenChars ? open.slice(open.indexOf('\n', open.length - maxOpenChars) + 1) : open
  const lines = drawBehindFence(text, fence, look)
  return given !== '' && fence === '' && lines.length > 0 ? ['', ...lines] : lines
}

function drawBehindFence(text: string, fence: string, look: RenderLook): string[] {
  if (text === '') return []
  const lines = indentLines(drawMarkdown(fence + text, narrowLook(look, margin)))
  // the end of a block whose lines stand above is drawn as an empty line
  return fence !== '' && /^ {0,3}(`{3,}|~{3,})/.test(text) && lines[0] === '' ? lines.slice(1) : lines
}

/** One dim line for what is thought and not said, or for a reply that broke off. */
export function drawReplyState(reply: OpenReply, now: number, look: RenderLook): string[] {
  const { retry, text, reasoning, since } = reply
  if (retry) {
    const which = retry.tries === undefined ? '' : `, ${retry.attempt} of ${retry.tries}`
    return drawDim(`broke off, asked again${which}${retry.why === undefined ? '' : `: ${retry.why}`}`, look)
  }
  if (text !== '') return []
  return drawDim(
    `${reasoning === '' ? 'waits for the model' : 'thinks'}  ${formatDuration(now - since)}`,
    look,
  )
}
