// The layout of quotes in a report.
import { expect, test } from 'vitest'
import {
  layOutQuote,
  markupOf,
  titleOf,
} from '../../../../../internal/study/report/quotation/quote-blocks.ts'

/** The blocks, without how they are marked up. */
const blocks = (quote: string, rest: { key?: string; path?: string; heading?: string } = {}) =>
  layOutQuote({ path: 'a.md', ...rest, quote }).map(({ kind, text }) => ({ kind, text }))

const keysOf = (quote: string, key: string, path = 'a.md') =>
  layOutQuote({ path, quote, key }).flatMap((block) => (block.kind === 'quote' ? (block.keys ?? []) : []))

test('joins lines of a paragraph, separates paragraphs and items, and makes the key words bold', () => {
  const quote = '# Locks\n\nThe store locks files\nwith O_EXCL. **It** waits.\n\n- one\n  continues\n- two'
  expect(blocks(quote, { key: 'with O_EXCL. **It** waits.', heading: 'Store > Locks' })).toEqual([
    { kind: 'quote', text: 'The store locks files with O_EXCL. **It** waits.\n• one continues\n• two' },
  ])
  expect(keysOf(quote, 'with O_EXCL. **It** waits.')).toEqual(['with O_EXCL. **It** waits.'])
  // bold tells nothing where all words have it
  expect(keysOf('All of it.', 'All of it.')).toEqual([])
})

test('keeps a title as text if no heading above contains it', () => {
  expect(blocks('## Limits\nFive.')).toEqual([{ kind: 'quote', text: 'Limits\nFive.' }])
})

test('converts rows to pairs, by their header or the heading above them', () => {
  const rows = '| wait | `5 s` | |\n| tries | 3 | a \\| b |'
  const pairs = 'name: wait; value: `5 s`\nname: tries; value: 3; note: a | b'
  const key = '| tries | 3 | a \\| b |'
  expect(blocks(`| name | value | note |\n|---|---|---|\n${rows}`, { key })).toEqual([
    { kind: 'quote', text: pairs },
  ])
  expect(blocks(rows, { key, heading: 'Limits > name, value, note' })).toEqual([
    { kind: 'quote', text: pairs },
  ])
  expect(keysOf(`| name | value | note |\n|---|---|---|\n${rows}`, key)).toEqual([
    'name: tries; value: 3; note: a | b',
  ])
  expect(blocks('| wait | 5 s |')).toEqual([{ kind: 'quote', text: 'wait · 5 s' }])
})

test('keeps lines of code, and drops fences that the quote has cut', () => {
  const example = { kind: 'code', text: 'a {\n  b' }
  expect(blocks('So:\n\n```sh\na {\n  b\n```\nDone.')).toEqual([
    { kind: 'quote', text: 'So:' },
    example,
    { kind: 'quote', text: 'Done.' },
  ])
  expect(blocks('So:\n```sh\na {\n  b')).toEqual([{ kind: 'quote', text: 'So:' }, example])
  expect(blocks('a {\n  b\n```\nDone.')).toEqual([example, { kind: 'quote', text: 'Done.' }])
})

test('keeps text in columns', () => {
  const text = '--cmd       Another command\n--timeout   Stop after this time'
  expect(blocks(text)).toEqual([{ kind: 'code', text }])
})

test('treats comments of a program as text, and the rest as code', () => {
  const quote = '/**\n   * How long it waits.\n   */\n  wait() {\n    return 5\n  }'
  expect(blocks(quote, { path: 'a.ts', key: 'How long it waits.' })).toEqual([
    { kind: 'quote', text: 'How long it waits.' },
    { kind: 'code', text: 'wait() {\n  return 5\n}' },
  ])
  expect(blocks('# Clients at once.\nmaxclients 10', { path: 'a.conf' })).toEqual([
    { kind: 'quote', text: 'Clients at once.' },
    { kind: 'code', text: 'maxclients 10' },
  ])
})

test('names a table without its header above it, and titles drop it', () => {
  const row = '| wait | 5 s |'
  expect(titleOf({ quote: row, heading: 'Manual > Limits > name, value' })).toBe('Manual > Limits')
  expect(titleOf({ quote: 'x', heading: 'A > `B` > C > These are set:' })).toBe('B > C')
  expect(titleOf({ quote: 'x' })).toBe('')
})

test.each([
  ['a.md', 'markdown'],
  ['doc/a.rst', 'rst'],
  ['https://a.example/b', 'markdown'],
  ['a.txt', 'comment'],
  ['a.ts', undefined],
  ['a.csv', undefined],
])('%s is written in %s', (path, markup) => {
  expect(markupOf(path)).toBe(markup)
})

test('indented code without a fence stays code', () => {
  const code = { kind: 'code', text: 'a {\n  b\n}\n\nc' }
  const quote = 'So:\n\n    a {\n      b\n    }\n\n    c\n\nDone.'
  expect(blocks(quote)).toEqual([{ kind: 'quote', text: 'So:' }, code, { kind: 'quote', text: 'Done.' }])
  // a paragraph of a list item is indented, too
  expect(blocks('- one\n\n    two')).toEqual([{ kind: 'quote', text: '• one\ntwo' }])
})
