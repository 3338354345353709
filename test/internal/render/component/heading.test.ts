// Heading: the four levels.
import { expect, test } from 'vitest'
import { draw } from '../draw.ts'

const levels: [string | null, string][] = [
  ['h1', '\x1b[1mx\x1b[22m'],
  ['h2', '\x1b[1mx\x1b[22m'],
  [null, '\x1b[1mx\x1b[22m'],
  ['h3', '\x1b[1m\x1b[2mx\x1b[22m\x1b[22m'],
  ['h4', '\x1b[2mx\x1b[22m'],
]

test.each(levels)('draws %s', (level, line) => {
  const [found] = draw('Heading', { text: 'x', level }, { color: 1 })
  // both bold and dim end with 22, and an inner end opens the outer style again
  expect(found?.replace('\x1b[22m\x1b[1m\x1b[22m', '\x1b[22m\x1b[22m')).toBe(line)
})

test('long headings wrap, line ends become spaces', () => {
  expect(draw('Heading', { text: 'a heading of\nseveral words' }, { width: 20 })).toEqual([
    'a heading of several',
    'words',
  ])
  expect(draw('Heading', { text: 'T', color: 'red' }, { plain: true })).toEqual(['T'])
})

test('the first level has a line below it, as long as its text, with and without colour', () => {
  expect(draw('Heading', { text: 'Title', level: 'h1' }, {})).toEqual(['Title', '═════'])
  expect(draw('Heading', { text: '漢字', level: 'h1' }, { unicode: false })).toEqual(['漢字', '===='])
  expect(draw('Heading', { text: 'Title', level: 'h1' }, { color: 1 })).toHaveLength(2)
  expect(draw('Heading', { text: 'a heading of many words', level: 'h1' }, { width: 20 })).toHaveLength(3)
  expect(draw('Heading', { text: 'Title', level: 'h1' }, { plain: true })).toEqual(['Title'])
  for (const level of ['h2', 'h3', 'h4']) expect(draw('Heading', { text: 'T', level }, {})).toEqual(['T'])
})
