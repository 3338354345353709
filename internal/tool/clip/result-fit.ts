// The truncation of a result's text to the limit of its tool and to the size that a conversation allows.

import { stripVTControlCharacters } from 'node:util'
import { writeOutHidden } from '../../base/text/hidden-chars.ts'
import { countLines } from '../../base/text/line-count.ts'
import type { CallScope } from '../../policy/level.ts'
import type { ToolResult } from '../result.ts'
import type { CallAccess, ClipLimit, Tool } from '../tool.ts'

/**
 * Largest number of characters of one result in a conversation, even if the model's context window is large.
 */
const maxRoom = 60_000
/**
 * Number of characters of one result that each token of the model's context window allows. A result may fill
 * an eighth of the window, and a token counts as 4 characters.
 */
const charsPerTokenOfWindow = 4 / 8
/** Number of characters reserved for the notes and status below the text of a result. */
const closingRoom = 500
/**
 * Smallest limit for one result in a conversation, in characters. If a turn has several calls, the limit of
 * each result may be lower.
 */
const minRoom = 4_000

/** Returns the largest number of characters of one result for a model with a context window of this size. */
export function resultRoomOf(windowTokens: number): number {
  return Math.max(minRoom, Math.min(maxRoom, Math.floor(windowTokens * charsPerTokenOfWindow)))
}

interface FittedResult {
  text: string
  /** The complete text of the result, if a part is omitted. */
  whole?: string
  left: { lines: number; chars: number }
  /** Number of characters in the text that a user could not see. The text contains them as escapes. */
  hidden?: number
}

/** The parts of a call that decide the room and form of its result. */
interface FittedCall {
  tool: Pick<Tool, 'clip'>
  /** Source of the tool, as in the catalog. */
  origin: string
  access: Pick<CallAccess, 'sandboxed'>
}

/**
 * Returns a note about hidden characters, which names the file if `scope` has exactly one path; empty if
 * `hidden` is undefined.
 */
export function hiddenNote(hidden: number | undefined, scope: readonly CallScope[]): string[] {
  if (hidden === undefined) return []
  const paths = new Set(scope.flatMap((one) => (one.kind === 'path' ? [one.path] : [])))
  const name = paths.size === 1 ? [...paths][0] : 'this result'
  return [`hidden characters in ${name}: ${hidden}, written as \\u{…}`]
}

/**
 * Returns the text of a result, truncated to the limit of its tool. For a model (`room` is set) the text also
 * fits that room, unless the limit has `isWhole`; output of programs loses its control sequences, and hidden
 * characters are escaped.
 */
export async function fitResult(
  { text: originalText, whole: uncut }: Pick<ToolResult, 'text' | 'whole'>,
  { tool, origin, access }: FittedCall,
  room: number | undefined,
): Promise<FittedResult> {
  const isPrinted = room !== undefined && (origin !== 'native' || access.sandboxed === true)
  const plain = isPrinted ? withoutEscapes(originalText) : originalText
  const { text, count } = room === undefined ? { text: plain, count: 0 } : writeOut(plain)
  const limit = tool.clip ?? defaultClip
  const { chars: max } = limit
  const fit = room === undefined || limit.isWhole === true ? max : Math.min(max, room - closingRoom)
  const shortResult = await clipResult(text, { ...limit, chars: fit })
  const hidden = count > 0 && { hidden: count }
  if (uncut === undefined) {
    const { lines, chars } = shortResult
    return { text: shortResult.text, whole: chars > 0 ? text : undefined, left: { lines, chars }, ...hidden }
  }
  const lines = Math.max(0, countLines(uncut) - countLines(shortResult.text))
  const omittedSize = { lines, chars: Math.max(1, uncut.length - shortResult.text.length) }
  return { text: shortResult.text, whole: uncut, left: omittedSize, ...hidden }
}

function writeOut(text: string): { text: string; count: number } {
  if (/^[\x20-\x7e\n\r\t]*$/.test(text)) return { text, count: 0 }
  return writeOutHidden(text)
}

function withoutEscapes(text: string): string {
  if (!/[\u001b\u009b]/.test(text)) return text
  return stripVTControlCharacters(text)
}

/** Limit of every tool's text unless the tool declares another. */
const defaultClip: ClipLimit = { chars: 262_144, lines: Number.POSITIVE_INFINITY, keep: 'head' }

/**
 * Returns true for a text within the limit. Only for other texts, which are rare, the module for
 * truncation is loaded.
 */
function isWithinLimit(text: string, limit: ClipLimit): boolean {
  const chars = limit.keep === 'halves' ? Buffer.byteLength(text) : text.length
  return chars <= limit.chars && (limit.lines === Number.POSITIVE_INFINITY || countLines(text) <= limit.lines)
}

/** Returns the truncated text to show, with the size of the omitted part. */
export async function clipResult(text: string, limit: ClipLimit) {
  if (isWithinLimit(text, limit)) return { text, lines: 0, chars: 0 }
  return (await import('./clip.ts')).clip(text, limit)
}
