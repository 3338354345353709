// The start and end of sentences in broken lines.
import { expect, test } from 'vitest'
import { sentencesOfLines } from '../../../internal/text-analysis/sentences.ts'

const read = (text: string) =>
  sentencesOfLines(text.split('\n')).map(({ text: words, from, to, beginsLine, endsLine }) => [
    words,
    from,
    to,
    beginsLine,
    endsLine,
  ])

test('finds a sentence with line breaks at any position', () => {
  expect(read('The lease lasts\n30 seconds. It is\nrenewed.')).toEqual([
    ['The lease lasts 30 seconds.', 0, 1, true, false],
    ['It is renewed.', 1, 2, false, true],
  ])
})

test('blank lines, items, titles and rows end the sentence before them', () => {
  expect(read('one\n\n- two\n  more\n- three\n## Four\n| five |').map(([words]) => words)).toEqual([
    'one',
    '- two more',
    '- three',
    '## Four',
    '| five |',
  ])
})

test('abbreviations and lower case do not end a sentence', () => {
  expect(read('Stores, e.g. Redis, keep it. see below').map(([words]) => words)).toEqual([
    'Stores, e.g. Redis, keep it. see below',
  ])
})
