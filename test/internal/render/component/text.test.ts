// Text: wrapping, cutting at either end, styles.
import { expect, test } from 'vitest'
import { draw } from '../draw.ts'

const cases: [object, number, string[]][] = [
  [{ text: 'one two three' }, 20, ['one two three']],
  [{ text: 'eleven words that do not fit in' }, 20, ['eleven words that do', 'not fit in']],
  [{ text: 'first\nsecond' }, 20, ['first', 'second']],
  [{ text: '' }, 20, ['']],
  [{ text: 'one two three four five', wrap: 'truncate' }, 20, ['one two three four …']],
  [{ text: 'one two three four five', wrap: 'truncate-end' }, 20, ['one two three four …']],
  [{ text: 'one two three four five', wrap: 'truncate-middle' }, 20, ['one two th…four five']],
  [{ text: 'one two three four five', wrap: 'truncate-start' }, 20, ['…two three four five']],
]

test.each(cases)('draws a text with %j at width %i', (props, width, lines) => {
  expect(draw('Text', props, { width })).toEqual(lines)
})

test('applies styles to every line', () => {
  const props = { text: 'a\nb', color: 'red', backgroundColor: 'white', bold: true, italic: true }
  const start = '\x1b[47m\x1b[31m\x1b[1m\x1b[3m'
  const end = '\x1b[23m\x1b[22m\x1b[39m\x1b[49m'
  expect(draw('Text', props, { color: 1 })).toEqual([`${start}a${end}`, `${start}b${end}`])
  const other = { text: 'x', underline: true, strikethrough: true, dimColor: true, inverse: true }
  expect(draw('Text', other, { color: 1 })[0]).toBe(
    '\x1b[2m\x1b[4m\x1b[9m\x1b[7mx\x1b[27m\x1b[29m\x1b[24m\x1b[22m',
  )
})

test('plain text keeps its lines', () => {
  expect(draw('Text', { text: 'a\nb', wrap: 'truncate' }, { plain: true })).toEqual(['a', 'b'])
})
