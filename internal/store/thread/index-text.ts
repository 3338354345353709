// Which words of an event are searched for, and how words are written into the index.

import type { EventDraft } from '../../event/event.ts'
import { hashShortText } from './plain-sha256.ts'

/** Tools that repeat what other threads say: their calls and results would only find themselves. */
const echoes: ReadonlySet<string> = new Set(['find_thread', 'read_thread', 'result'])

/** The text of an event that a person may look for; empty when there is none. */
export function collectIndexText({ type, payload }: EventDraft): string {
  switch (type) {
    case 'message':
      return payload.role === 'system' ? '' : payload.text
    case 'tool.call':
      return echoes.has(payload.tool) ? '' : `${payload.tool} ${strings(payload.args).join('\n')}`
    case 'tool.result':
      return echoes.has(payload.tool) ? '' : payload.text
    default:
      return ''
  }
}

/** All strings and numbers inside a value, outermost first; keys are left out. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : []
}

/**
 * Scripts written without spaces would be one word to the index; a space around each character makes them
 * searchable as phrases of characters. Query and index go through the same function.
 */
export function spaceCharacters(text: string): string {
  // none of them comes before Thai, and looking for them takes a start half a millisecond
  if (!/[\u0e00-\uffff]/.test(text)) return text
  return text.replace(
    /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/gu,
    ' $& ',
  )
}

/** Words of the index column `scope`: where an event belongs. */
export function scopeTokens(workspace: string, thread: number): string {
  return `${workspaceToken(workspace)} ${threadToken(thread)}`
}

export const threadToken = (n: number): string => `t${n}`

const workspaceTokens = new Map<string, string>()

export function workspaceToken(path: string): string {
  const known = workspaceTokens.get(path) ?? `w${hashShortText(path).slice(0, 15)}`
  workspaceTokens.set(path, known)
  return known
}
