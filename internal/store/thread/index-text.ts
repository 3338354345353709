// The searchable words of an event, and their form in the index.

import type { EventDraft } from '../../event/event.ts'
import { hashShortText } from './plain-sha256.ts'

/** Tools that repeat text of other threads. Their calls and results would only find copies. */
const echoes: ReadonlySet<string> = new Set(['find_thread', 'read_thread', 'result'])

/** Returns the text of an event that a user may search for; empty if it has none. */
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

/** Returns all strings and numbers inside a value, outermost first, without keys. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : []
}

/**
 * Puts spaces around each character of scripts written without spaces. Otherwise a whole text would be one
 * word of the index; so phrases of characters are searchable. Query and index use the same function.
 */
export function spaceCharacters(text: string): string {
  // these scripts begin at Thai, and searching for them would take half a millisecond at a start
  if (!/[\u0e00-\uffff]/.test(text)) return text
  return text.replace(
    /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/gu,
    ' $& ',
  )
}

/** Returns words of the index column `scope`, which identify the workspace and thread of an event. */
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
