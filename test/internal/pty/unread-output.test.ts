// Unread output in pieces: final lines without control sequences.
import { expect, test } from 'vitest'
import { UnreadOutput } from '../../../internal/pty/unread-output.ts'

const cases: readonly (readonly [text: string, shown: string])[] = [
  ['one\r\ntwo\r\n', 'one\ntwo\n'],
  ['10%\r20%\r100%\r\ndone', '100%\ndone'],
  ['before\n50%\r', 'before\n50%'],
  ['wait\r\r\nend\r\n', 'wait\nend\n'],
  ['\x1b[1;31mred\x1b[0m \x1b]0;title\x07x\x1b]8;;http://a\x1b\\y', 'red xy'],
  ['\x1b[?25l\x1b(B\x1b=\x1bM\x1bPq#0\x1b\\a\bb\x07\x00c\u009b2Jd', 'abcd'],
  ['tab\there \x1b[K', 'tab\there '],
  ['grüße 🦊', 'grüße 🦊'],
]

test.each(cases)('%j is %j, split at any byte', (text, shown) => {
  for (let at = 0; at <= text.length; at++) {
    const unread = new UnreadOutput()
    unread.push(text.slice(0, at))
    unread.push(text.slice(at))
    expect(unread.take(1_000)).toEqual({ text: shown, left: 0, dropped: 0 })
  }
})

test('drops the oldest output above the limit, and counts the loss once', () => {
  const unread = new UnreadOutput()
  for (let i = 0; i < 500; i++) unread.push(`${String(i).padStart(999)}\n`)
  expect(unread.length).toBe(200_000)
  const first = unread.take(1_000)
  expect(first).toMatchObject({ left: 199_000, dropped: 300_000 })
  expect(first.text.trim()).toBe('300')
  expect(unread.take(1_000)).toMatchObject({ left: 198_000, dropped: 0 })
})

test('drops a sequence that never ends, and splits no character', () => {
  const unread = new UnreadOutput()
  unread.push(`\x1b]0;${'x'.repeat(5_000)}`)
  expect(unread.length).toBeGreaterThan(4_000)
  const other = new UnreadOutput()
  other.push('a🦊')
  expect(other.take(2).text).toBe('a')
  expect(other.take(2).text).toBe('🦊')
})
