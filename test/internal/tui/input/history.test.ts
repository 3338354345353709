// Moving through earlier messages without losing the current text.
import { expect, test } from 'vitest'
import type { SessionEvent } from '../../../../internal/session/client.ts'
import {
  addHistoryEntry,
  emptyHistory,
  type InputHistory,
  newerEntry,
  olderEntry,
  prependEntries,
  readHistoryEntries,
} from '../../../../internal/tui/input/history.ts'

const filled = ['one', 'two', 'three'].reduce(addHistoryEntry, emptyHistory)

test('goes back to the oldest, and forward to the current text', () => {
  const seen: string[] = []
  let history: InputHistory = filled
  for (let step = olderEntry(history, 'draft'); step; step = olderEntry(history, step.text)) {
    history = step.history
    seen.push(step.text)
  }
  for (let step = newerEntry(history); step; step = newerEntry(history)) {
    history = step.history
    seen.push(step.text)
  }
  expect(seen).toEqual(['three', 'two', 'one', 'two', 'three', 'draft'])
  expect(history.at).toBeUndefined()
})

test('keeps a repeated text once, as the newest, and ignores spaces', () => {
  expect(addHistoryEntry(filled, 'one').entries).toEqual(['two', 'three', 'one'])
  expect(addHistoryEntry(filled, '  ').entries).toEqual(filled.entries)
  const many = Array.from({ length: 1_200 }, (_, i) => String(i)).reduce(addHistoryEntry, emptyHistory)
  expect(many.entries).toHaveLength(1_000)
  expect(many.entries.at(-1)).toBe('1199')
})

test('includes only messages of the user from events', () => {
  const message = (role: string, text: string, origin?: string) =>
    ({ type: 'message', payload: { role, text, ...(origin && { origin }) } }) as unknown as SessionEvent
  const events = [
    message('user', 'a'),
    message('assistant', 'b'),
    message('user', 'note', 'note'),
    message('user', ' '),
  ]
  expect(readHistoryEntries(events)).toEqual(['a'])
})

test('puts messages of other threads before those of this thread, each text once', () => {
  expect(prependEntries(filled, ['far', 'two', ' ', 'near']).entries).toEqual([
    ...['far', 'near', 'one', 'two', 'three'],
  ])
})
