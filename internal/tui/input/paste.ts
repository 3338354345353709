// Pasted text without control characters. In place of a long paste, the editor shows a label until the
// message is sent.

import { stripVTControlCharacters } from 'node:util'
import { countNoun, groupDigits } from '../../base/text/count-noun.ts'

const maxLines = 10
const maxChars = 1_000

/** Long pastes of one message, by their labels in the editor. */
export type PasteStore = ReadonlyMap<string, string>

/**
 * Returns the text to insert for a paste: the cleaned text itself, or a label if it has more than 10 lines or
 * 1,000 characters. The returned store contains the long paste under this label.
 */
export function addPaste(store: PasteStore, raw: string): { store: PasteStore; insert: string } {
  const text = cleanPaste(raw)
  const lines = text.split('\n').length
  if (lines <= maxLines && text.length <= maxChars) return { store, insert: text }
  const size = lines > maxLines ? countNoun(lines, 'line') : `${groupDigits(text.length)} characters`
  const label = `[paste ${store.size + 1}, ${size}]`
  return { store: new Map([...store, [label, text]]), insert: label }
}

/** Replaces every label by its pasted text, once. A label within pasted text stays. */
export function expandPastes(store: PasteStore, text: string): string {
  return text.replace(/\[paste \d+, [\d, ]+ (?:lines|characters)\]/g, (label) => store.get(label) ?? label)
}

/**
 * Returns pasted text without control characters and escape sequences, except tabs and line ends. Each line
 * end becomes a line feed.
 */
export function cleanPaste(raw: string): string {
  return stripVTControlCharacters(raw.replace(/\r\n?/g, '\n')).replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, '')
}

/**
 * Returns true if a chunk of input is longer than a user types at once, or has a line end next to other
 * characters. It must then be a paste from a terminal that does not mark pastes.
 */
export function isPasteChunk(chunk: string): boolean {
  return chunk.length > 32 || (chunk.length > 1 && /[^\r\n][\r\n]|[\r\n][^\r\n]/.test(chunk))
}
