// Pastes: short ones unchanged, long ones as a placeholder that is sent in full, without control characters.
import { expect, test } from 'vitest'
import {
  addPaste,
  cleanPaste,
  expandPastes,
  isPasteChunk,
  type PasteStore,
} from '../../../../internal/tui/input/paste.ts'

const none: PasteStore = new Map()
const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}`).join('\n')

test('keeps a paste of up to ten lines and a thousand characters unchanged', () => {
  expect(addPaste(none, lines(10))).toEqual({ store: none, insert: lines(10) })
  expect(addPaste(none, 'x'.repeat(1_000)).insert).toHaveLength(1_000)
})

test('replaces longer pastes by numbered placeholders, and sends them in full', () => {
  const first = addPaste(none, lines(40))
  const second = addPaste(first.store, 'y'.repeat(1_001))
  expect([first.insert, second.insert]).toEqual(['[paste 1, 40 lines]', '[paste 2, 1,001 characters]'])
  expect(expandPastes(second.store, `a ${first.insert} b ${second.insert}`)).toBe(
    `a ${lines(40)} b ${'y'.repeat(1_001)}`,
  )
})

test('a placeholder within a pasted text is only text, and an unknown one stays', () => {
  const first = addPaste(none, lines(11))
  const second = addPaste(first.store, `${lines(11)}\n[paste 1, 11 lines]`)
  expect(expandPastes(second.store, second.insert)).toBe(`${lines(11)}\n[paste 1, 11 lines]`)
  expect(expandPastes(second.store, '[paste 9, 3 lines]')).toBe('[paste 9, 3 lines]')
})

test('removes control characters, and keeps tabs and line ends', () => {
  expect(cleanPaste('a\tb\r\nc\rd\u001b[31m red\u001b[0m\u0007\u0000\u009b2J')).toBe('a\tb\nc\nd red')
  expect(cleanPaste('x\u001b]0;title\u0007y')).toBe('xy')
})

test.each([
  ['a', false],
  ['\r', false],
  ['ab\r', true],
  ['x'.repeat(33), true],
  ['hello', false],
  ['\r\n', false],
])('detects whether %j was pasted: %s', (chunk, isPaste) => {
  expect(isPasteChunk(chunk)).toBe(isPaste)
})
