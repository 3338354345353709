// The words of an event that can be searched, and their form in the index.

import type { EventDraft } from '../../event/event.ts'
import { hashShortText } from './plain-sha256.ts'

/**
 * Tools that repeat the text of other threads. Their calls and results are not indexed, because a search
 * would only find copies.
 */
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

/** Returns all strings and numbers inside a value in their order, without the keys of objects. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : []
}

/**
 * Puts spaces around each character of scripts that are written without spaces, because the index would
 * otherwise store a whole text as one word. A phrase of such characters can then be found. Query and index
 * both use this function.
 */
export function spaceCharacters(text: string): string {
  // These scripts begin at Thai in Unicode. Creating the expression for them takes half a millisecond, which
  // a start should not need.
  if (!/[\u0e00-\uffff]/.test(text)) return text
  return text.replace(
    /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/gu,
    ' $& ',
  )
}

/** Returns the words of the index column `scope`, by which events of a workspace or a thread are found. */
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
