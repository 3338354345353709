// Messages of a user, and the end of their runs, as lines.
import { expect, test } from 'vitest'
import { drawAnswer, drawSummary, drawUserMessage } from '../../../../internal/tui/run-view/message.ts'
import { lookOf } from '../../../support/session-view.ts'

const user = { kind: 'user', id: 'u', text: 'one two three four', images: 0 } as const

test('draws a message of the user after a mark, in as many rows as necessary', () => {
  expect(drawUserMessage(user, lookOf(15))).toEqual([' > one two', '   three four'])
  expect(drawUserMessage({ ...user, images: 2 }, lookOf(40)).at(-1)).toBe('   [2 pictures]')
  expect(drawUserMessage({ ...user, text: '', images: 1 }, lookOf(40))).toEqual([' > [1 picture]'])
  expect(drawUserMessage({ ...user, origin: 'mail' }, lookOf(40))).toEqual([' - one two three four'])
})

test('folds a long paste, and opens it on request', () => {
  const text = Array.from({ length: 100 }, (_, i) => `line ${i}`).join('\n')
  const lines = drawUserMessage({ ...user, text }, lookOf())
  expect(lines).toHaveLength(21)
  expect(lines.at(-1)).toBe('   … 80 more lines')
  expect(drawUserMessage({ ...user, text }, { ...lookOf(), all: true })).toHaveLength(100)
})

test('a note for the model is visible only in the full transcript', () => {
  const text = '[the user ran: ls]\na.ts\nb.ts\n[exit 0]'
  const note = { ...user, text, origin: 'note' } as const
  for (const width of [24, 80]) expect(drawUserMessage(note, lookOf(width))).toEqual([])
  expect(drawUserMessage(note, { ...lookOf(), all: true })).toHaveLength(4)
})

test('marks a stopped response', () => {
  const answer = { kind: 'answer', id: 'a', text: 'Half', interrupted: true } as const
  expect(drawAnswer(answer, lookOf())).toEqual([' Half', ' stopped here'])
})

test('shows a summary as one line, and its text on request', () => {
  const block = {
    kind: 'summary',
    id: 's',
    text: 'All is **well**',
    replaced: 34,
    kept: 2,
    tokens: { before: 212_300, after: 61_000 },
  } as const
  expect(drawSummary(block, lookOf())).toEqual([' compacted 212k to 61.0k tokens, 34 messages'])
  expect(drawSummary(block, { ...lookOf(), all: true }).at(-1)).toBe('   All is well')
})
