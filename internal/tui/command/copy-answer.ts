// The text that the command `/copy` copies, and its transfer to the clipboards of the terminal
// and the desktop.
import { countNoun } from '../../base/text/count-noun.ts'
import { readBlocks, type Token } from '../../render/markdown/read-blocks.ts'
import type { SessionView } from '../../session/view/session-view.ts'
import { type InlineState, showHint } from '../inline/inline-state.ts'
import type { SessionIo } from '../screen-options.ts'

/**
 * Largest number of encoded bytes that terminals accept for their clipboard. Base64 turns three
 * bytes into four.
 */
const maxTerminalBytes = 100_000

type CopiedText = { kind: 'text'; text: string } | { kind: 'none'; why: string }

/**
 * Returns the Markdown source of the last answer or, if `argument` is not empty, its code block with that
 * number, counted from 1. If the answer or code block does not exist, returns a reason.
 */
export function readCopied({ blocks }: Pick<SessionView, 'blocks'>, argument: string): CopiedText {
  const answer = blocks.findLast((block) => block.kind === 'answer')
  if (answer?.kind !== 'answer') return { kind: 'none', why: 'no answer to copy yet' }
  if (argument === '') return { kind: 'text', text: answer.text }
  const code = codeBlocks(readBlocks(answer.text))
  const text = code[Number(argument) - 1]
  if (text !== undefined) return { kind: 'text', text }
  const count = code.length === 0 ? 'it has none' : `it has ${code.length}`
  return { kind: 'none', why: `the last answer has no code block ${argument}, ${count}` }
}

/** Returns the texts of the code blocks in document order, including those in lists and quotes. */
const codeBlocks = (tokens: readonly Token[]): string[] =>
  tokens.flatMap((token) => {
    if (token.type === 'code') return [String(token.text)]
    return codeBlocks(token.type === 'list' ? token.items : ('tokens' in token && token.tokens) || [])
  })

/**
 * Returns the control sequence (OSC 52) that copies the text in the terminal; undefined if the text is too
 * long for a terminal.
 */
function clipboardBytes(text: string): string | undefined {
  const coded = Buffer.from(text).toString('base64')
  return coded.length > maxTerminalBytes ? undefined : `\x1b]52;c;${coded}\x07`
}

/**
 * Copies the text to the clipboards of the terminal and of the desktop. `outcome` tells the user which
 * clipboards took the text and which failed; `isGiven` is false if none took it. `signal` writes to the
 * terminal and is missing for a terminal without a clipboard.
 */
export async function giveToClipboard(
  { writeClipboard }: Pick<SessionIo, 'writeClipboard'>,
  text: string,
  signal?: (bytes: string) => void,
): Promise<{ isGiven: boolean; outcome: string }> {
  const bytes = signal && clipboardBytes(text)
  if (bytes !== undefined) signal?.(bytes)
  const { took, failed } = (await writeClipboard?.(text)) ?? { failed: [] }
  const takers = [...(took === undefined ? [] : [took]), ...(bytes === undefined ? [] : [terminalName])]
  const count = countNoun(text.length, 'character')
  const verb = text.length === 1 ? 'was' : 'were'
  const takerText = takers.length > 0 ? `${verb} copied to ${takers.join(' and ')}` : `${verb} not copied`
  const tooLong = signal && bytes === undefined ? ['too long for the terminal'] : []
  const parts = [`${count} ${takerText}`, ...tooLong, ...failed.map((name) => `${name} failed`)]
  return { isGiven: takers.length > 0, outcome: parts.join('; ') }
}

const terminalName = "the terminal's clipboard"

export async function copyAnswer(state: InlineState, argument: string): Promise<void> {
  const copied = readCopied(state.conversation.view, argument)
  if (copied.kind === 'none') showHint(state, copied.why)
  else await copyText(state, copied.text)
}

/** Copies a text to the clipboard and shows a hint with the outcome. Does nothing for a blank text. */
export async function copyText(state: InlineState, text: string): Promise<void> {
  if (text.trim() === '') return
  const { outcome } = await giveToClipboard(state.screen.io, text, (bytes) => state.screen.signal(bytes))
  showHint(state, outcome)
}
