// The earlier messages and unsent texts of the user, and the steps through them. The functions are pure.
import type { SessionEvent } from '../../session/client.ts'

export interface InputHistory {
  /** Messages of the user, and texts that were replaced or not sent, oldest first. */
  readonly entries: readonly string[]
  /** Index of the shown entry; undefined while the editor contains a new text. */
  readonly at: number | undefined
  /** The text that was in the editor before the first step back. */
  readonly draft: string
}

const maxEntries = 1_000

export const emptyHistory: InputHistory = { entries: [], at: undefined, draft: '' }

/** Returns the messages of the user in these events, oldest first. */
export function readHistoryEntries(events: readonly SessionEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type !== 'message' || event.payload.role !== 'user') return []
    return event.payload.origin === undefined && event.payload.text.trim() !== '' ? [event.payload.text] : []
  })
}

/**
 * Returns the history with the text as the latest message and without an equal older one; no entry is shown.
 * A blank text adds nothing. The oldest messages above `maxEntries` are removed.
 */
export function addHistoryEntry({ entries }: InputHistory, text: string): InputHistory {
  if (text.trim() === '') return { ...emptyHistory, entries }
  const otherEntries = entries.filter((entry) => entry !== text).slice(1 - maxEntries)
  return { ...emptyHistory, entries: [...otherEntries, text] }
}

/**
 * Adds older messages at the front of the history; no entry is shown. Messages that it already contains keep
 * their position, and the oldest messages above `maxEntries` are removed.
 */
export function prependEntries({ entries }: InputHistory, older: readonly string[]): InputHistory {
  const entrySet = new Set(entries)
  const more = older.filter((text) => text.trim() !== '' && !entrySet.has(text))
  return { ...emptyHistory, entries: [...more, ...entries].slice(-maxEntries) }
}

interface HistoryStep {
  history: InputHistory
  text: string
}

/**
 * Returns the step to the previous message, from the `current` text of the editor; undefined at
 * the oldest message.
 */
export function olderEntry(history: InputHistory, current: string): HistoryStep | undefined {
  const { entries, at, draft } = history
  const next = (at ?? entries.length) - 1
  const text = entries[next]
  if (text === undefined) return undefined
  return { history: { entries, at: next, draft: at === undefined ? current : draft }, text }
}

/**
 * Returns the next message of the history, and after the newest one the draft. Returns undefined if no
 * message is shown.
 */
export function newerEntry({ entries, at, draft }: InputHistory): HistoryStep | undefined {
  if (at === undefined) return undefined
  const text = entries[at + 1]
  if (text === undefined) return { history: { ...emptyHistory, entries }, text: draft }
  return { history: { entries, at: at + 1, draft }, text }
}
