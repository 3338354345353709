// Lines and paragraphs from characters on a page.
import { expect, test } from 'vitest'
import { parseDocument } from '../../../internal/document/document.ts'
import { dropRepeatedLines, paragraphsOf, pdfLines } from '../../../internal/document/pdf-lines.ts'
import { joinHyphenated } from '../../../internal/document/pdf-words.ts'
import { layOutPdf } from '../../support/pdf.ts'

const run = (text: string, x: number, y: number, more: object = {}) => ({
  text,
  x,
  y,
  width: text.length * 5,
  height: 10,
  endsLine: false,
  ...more,
})

test('joins text of one height to a line, writes gaps as spaces, and keeps raised figures in the line', () => {
  const lines = pdfLines([
    run('wa', 10, 700),
    run('ter', 20, 700),
    run('2', 36, 703, { height: 6 }),
    run('cools', 60, 700, { endsLine: true }),
    run('', 0, 690, { endsLine: true }),
    run('next', 10, 686),
  ])
  expect(lines.map(({ n, text, height }) => [n, text, height])).toEqual([
    [1, 'water^2 cools', 10],
    [2, 'next', 10],
  ])
})

test.each([0, 0.7, -1.2])('drops text that is drawn again %d points away', (offset) => {
  const drawn = ['Scale 1:25000', 'Avon', 'Scale 1:25000'].flatMap((text, i) =>
    [0, offset, 0].map((by) => run(text, 10 + by, 700 - i * 20 + by)),
  )
  const texts = pdfLines([...drawn, run('end', 10, 600)]).map(({ text }) => text)
  expect(texts).toEqual(['Scale 1:25000', 'Avon', 'Scale 1:25000', 'end'])
})

test.each([
  ['over the last word', run('Group', 10, 700), run('First', 20, 698), ['Group', 'First']],
  ['right of the last word', run('Group', 10, 700), run('First', 40, 698), ['Group First']],
  ['left of the last word', run('שלום', 40, 700), run('מדינה', 10, 700), ['שלום מדינה']],
  ['over it by a little', run('Gro', 10, 700), run('up', 24, 700), ['Group']],
  ['a mark over its letter', run('naı', 10, 700), run('\u0308', 20, 700), ['naı\u0308']],
])('text %s', (_, first, second, texts) => {
  expect(pdfLines([first, second]).map(({ text }) => text)).toEqual(texts)
})

test('a wider gap, another column and other letters begin a paragraph', () => {
  const at = (text: string, y: number, height = 10) => ({ n: 0, text, x: 0, y, height })
  const page = [
    at('Head', 720, 16),
    at('one', 700),
    at('two', 688),
    at('three.', 676),
    at('four', 652),
    at('column.', 640),
    at('Five', 700),
    at('and a word that goes on', 688),
    at('up here', 720),
  ]
  expect(paragraphsOf(page).map((lines) => lines.map(({ text }) => text).join(' '))).toEqual([
    'Head',
    'one two three.',
    'four column.',
    'Five and a word that goes on up here',
  ])
})

test('skips headers and footers that repeat on every page', async () => {
  const line = (text: string) => ({ text })
  const pages = Array.from({ length: 5 }, (_, i) => [
    line('Journal of Pools, volume 3'),
    line(`What page ${'abcde'[i]} says.`),
    line(`page ${i + 1} of 5`),
  ])
  const read = await parseDocument(layOutPdf(pages), 'pdf', { signal: new AbortController().signal })
  if ('skipped' in read) throw new Error(read.skipped)
  expect(read.blocks.map(({ text, place }) => `${place}: ${text}`)).toEqual(
    pages.map((_, i) => `page ${i + 1}, line 2: What page ${'abcde'[i]} says.`),
  )
  const few = pages
    .slice(0, 3)
    .map((lines) => lines.map(({ text }) => ({ n: 1, text, x: 0, y: 0, height: 1 })))
  expect(dropRepeatedLines(few)).toEqual({ pages: few, dropped: [] })
  expect(read.notes).toEqual([
    'left out, since most pages have it: “Journal of Pools, volume 3”, “page 1 of 5”',
  ])
})

test('removes a hyphen at a line end unless the document contains the hyphenated word', () => {
  const line = (text: string) => ({ n: 1, text, x: 0, y: 0, height: 1 })
  const page = [
    line('high-speed and mea-'),
    line('surement of the high-'),
    line('speed data, Meyer-'),
    line('Lansky 4-'),
    line('fold'),
  ]
  expect(joinHyphenated([page])(page)).toBe(
    'high-speed and measurement of the high-speed data, Meyer-\nLansky 4-\nfold',
  )
})

test.each([
  ['10', '6', '10^6'],
  ['m', '2', 'm^2'],
  ['word', '12', 'word^12'],
  ['(x)', '3', '(x)^3'],
  ['x', '-1', 'x^-1'],
  ['word.', '4', 'word.4'],
  ['10', 'th', '10th'],
])('%s with a raised %s is %s', (base, raised, text) => {
  const runs = [
    { text: base, x: 0, y: 100, width: 10, height: 10, endsLine: false },
    { text: raised, x: 10, y: 104, width: 4, height: 6, endsLine: true },
  ]
  expect(pdfLines(runs).map((line) => line.text)).toEqual([text])
})

test('a figure on the line, or of the same size, is part of the number', () => {
  for (const [y, height] of [
    [100, 6],
    [104, 10],
  ] as const) {
    const runs = [
      { text: '10', x: 0, y: 100, width: 10, height: 10, endsLine: false },
      { text: '6', x: 10, y, width: 4, height, endsLine: true },
    ]
    expect(pdfLines(runs).map((line) => line.text)).toEqual(['106'])
  }
})
