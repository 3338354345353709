// Fits the text of a result to its limit: that of the tool, and the room that a conversation has.
import { countLines } from '../../base/text/line-count.ts'
import type { ToolResult } from '../result.ts'
import type { Tool } from '../tool.ts'
import { clipResult, defaultClip } from './clip-limit.ts'

/** Characters of one result that a model reads at most. */
const maxRoom = 60_000
/** An eighth of the window, in characters. */
const charsPerTokenOfWindow = 4 / 8
/** Room for what is said below the text. */
const closingRoom = 500
/** Below this a result says too little. */
const minRoom = 4_000

/** The room for one result in a conversation with a model of this window, in characters. */
export function resultRoomOf(windowTokens: number): number {
  return Math.max(minRoom, Math.min(maxRoom, Math.floor(windowTokens * charsPerTokenOfWindow)))
}

interface FittedResult {
  text: string
  /** Present when something is left out. */
  whole?: string
  left: { lines: number; chars: number }
}

/**
 * The text as it is shown. For a model (`room` is set) it is within that room, and what programs have printed
 * is without control sequences.
 */
export async function fitResult(
  { text: given, whole: uncut }: Pick<ToolResult, 'text' | 'whole'>,
  tool: Pick<Tool, 'clip' | 'walled'>,
  origin: string,
  room: number | undefined,
): Promise<FittedResult> {
  const isPrinted = room !== undefined && (origin !== 'native' || tool.walled === true)
  const text = isPrinted ? await withoutEscapes(given) : given
  const limit = tool.clip ?? defaultClip
  const { chars: max } = limit
  const fit = room === undefined ? max : Math.min(max, room - closingRoom)
  const cut = await clipResult(text, { ...limit, chars: fit })
  if (uncut === undefined) {
    const { lines, chars } = cut
    return { text: cut.text, ...(chars > 0 && { whole: text }), left: { lines, chars } }
  }
  const lines = Math.max(0, countLines(uncut) - countLines(cut.text))
  return { text: cut.text, whole: uncut, left: { lines, chars: Math.max(1, uncut.length - cut.text.length) } }
}

async function withoutEscapes(text: string): Promise<string> {
  if (!/[\u001b\u009b]/.test(text)) return text
  return (await import('node:util')).stripVTControlCharacters(text)
}
