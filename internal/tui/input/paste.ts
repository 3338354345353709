// Pasted text: without controls, and long ones as a placeholder that is replaced when the message is sent.

import { stripVTControlCharacters } from 'node:util'
import { countNoun } from '../../base/text/count-noun.ts'
import { groupDigits } from '../../base/text/group-digits.ts'

const maxLines = 10
const maxChars = 1_000

/** Long pastes of one message by what stands for them in the editor. */
export type PasteStore = ReadonlyMap<string, string>

/** What the editor takes in for a paste, and the store that knows it. */
export function addPaste(store: PasteStore, raw: string): { store: PasteStore; insert: string } {
  const text = cleanPaste(raw)
  const lines = text.split('\n').length
  if (lines <= maxLines && text.length <= maxChars) return { store, insert: text }
  const size = lines > maxLines ? countNoun(lines, 'line') : `${groupDigits(text.length)} characters`
  const label = `[paste ${store.size + 1}, ${size}]`
  return { store: new Map([...store, [label, text]]), insert: label }
}

/** Every placeholder replaced once; one within a pasted text is only text. */
export function expandPastes(store: PasteStore, text: string): string {
  return text.replace(/\[paste \d+, [\d, ]+ (?:lines|characters)\]/g, (label) => store.get(label) ?? label)
}

/** Tabs and line ends stay; other controls and whole escape sequences go. */
export function cleanPaste(raw: string): string {
  return stripVTControlCharacters(raw.replace(/\r\n?/g, '\n')).replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, '')
}

/** More than a person types at once: a paste of a terminal that does not mark pastes. */
export function isPasteChunk(chunk: string): boolean {
  return chunk.length > 32 || (chunk.length > 1 && /[^\r\n][\r\n]|[\r\n][^\r\n]/.test(chunk))
}
