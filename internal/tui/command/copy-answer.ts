// What `/copy` takes, and how a terminal is given it for its clipboard.
import { countNoun } from '../../base/text/count-noun.ts'
import { readBlocks } from '../../render/markdown/read-blocks.ts'
import type { SessionView } from '../../session/view/session-view.ts'
import { type InlineState, showHint } from '../inline/inline-state.ts'

/** Terminals take no more. */
const maxCharacters = 75_000

type Copied = { kind: 'text'; text: string } | { kind: 'none'; why: string }

/** The source of the last answer, or its code block by number. */
export function readCopied({ blocks }: Pick<SessionView, 'blocks'>, argument: string): Copied {
  const answer = blocks.findLast((block) => block.kind === 'answer')
  if (answer?.kind !== 'answer') return { kind: 'none', why: 'there is no answer to copy' }
  const code = argument === '' ? [] : codeBlocks(answer.text)
  const text = argument === '' ? answer.text : code[Number(argument) - 1]
  const count = code.length === 0 ? 'it has none' : `it has ${code.length}`
  if (text === undefined)
    return { kind: 'none', why: `the last answer has no code block ${argument}, ${count}` }
  return text.length > maxCharacters ? { kind: 'none', why: tooMuch(text) } : { kind: 'text', text }
}

const tooMuch = (text: string) => `more than a terminal takes: ${text.length} characters`

const codeBlocks = (text: string): string[] =>
  readBlocks(text).flatMap((token) => (token.type === 'code' ? [String(token.text)] : []))

/** OSC 52. */
export const clipboardBytes = (text: string): string =>
  `\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`

export function copyAnswer(state: InlineState, argument: string): void {
  const copied = readCopied(state.view, argument)
  if (copied.kind === 'none') showHint(state, copied.why)
  else copyText(state, copied.text)
}

export function copyText(state: InlineState, text: string): void {
  if (text.trim() === '') return
  const isTooMuch = text.length > maxCharacters
  const count = countNoun(text.length, 'character was', 'characters were')
  if (!isTooMuch) state.screen.signal(clipboardBytes(text))
  showHint(state, isTooMuch ? tooMuch(text) : `${count} given to the terminal's clipboard`)
}
