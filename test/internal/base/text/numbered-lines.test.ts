// Ranges of numbered lines within a limit of bytes.
import { describe, expect, it } from 'vitest'
import { numberLines } from '../../../../internal/base/text/numbered-lines.ts'

const all = { start: 1, end: Number.POSITIVE_INFINITY, maxBytes: 1 << 20 }

describe('numbered', () => {
  it.each<[string, string, string, number]>([
    ['nothing', '', '', 0],
    ['one line without end', 'a', '1\ta', 1],
    ['blank lines', '\n\n', '1\t\n2\t', 2],
    ['no carriage returns', 'a\r\nb\r\n', '1\ta\n2\tb', 2],
    ['a lone carriage return', 'a\rb\n\r\n', '1\ta\rb\n2\t', 2],
  ])('%s', (_, text, shown, total) => {
    expect(numberLines(Buffer.from(text), all)).toMatchObject({
      text: shown,
      total,
      last: total,
      cut: undefined,
    })
  })

  it('gives a range and counts all the lines', () => {
    const lines = Buffer.from('a\nb\nc\nd\n')
    expect(numberLines(lines, { ...all, start: 2, end: 3 })).toMatchObject({
      text: '2\tb\n3\tc',
      last: 3,
      total: 4,
    })
    expect(numberLines(lines, { ...all, start: 9 })).toMatchObject({ text: '', last: 8, total: 4 })
    expect(numberLines(lines, { ...all, start: 4, end: 99 })).toMatchObject({ text: '4\td', last: 4 })
  })

  it('never exceeds the limit of bytes and cuts at a line end', () => {
    const lines = Buffer.from('aaa\nbbb\nccc\n')
    expect(numberLines(lines, { ...all, maxBytes: 11 })).toMatchObject({
      text: '1\taaa\n2\tbbb',
      bytes: 11,
      cut: 'lines',
    })
    expect(numberLines(lines, { ...all, maxBytes: 10 })).toMatchObject({
      text: '1\taaa',
      bytes: 5,
      cut: 'lines',
      last: 1,
    })
  })

  it('cuts inside a line that is too long alone, between characters', () => {
    const line = Buffer.from('日本語'.repeat(100))
    for (const maxBytes of [1, 2, 3, 5, 6, 7, 8]) {
      const page = numberLines(line, { ...all, maxBytes })
      expect(page.cut).toBe('line')
      expect('日本語'.repeat(100).startsWith(page.text.slice(2))).toBe(true)
      expect(page.bytes).toBeLessThanOrEqual(Math.max(2, maxBytes))
    }
  })
})
