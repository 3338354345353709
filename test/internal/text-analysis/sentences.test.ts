// Where sentences begin and end in broken lines.
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

test('a sentence is one wherever its lines are broken', () => {
  expect(read('The lease lasts\n30 seconds. It is\nrenewed.')).toEqual([
    ['The lease lasts 30 seconds.', 0, 1, true, false],
    ['It is renewed.', 1, 2, false, true],
  ])
})

test('blank lines, items, titles and rows end what stands before them', () => {
  expect(read('one\n\n- two\n  more\n- three\n## Four\n| five |').map(([words]) => words)).toEqual([
    'one',
    '- two more',
    '- three',
    '## Four',
    '| five |',
  ])
})

test('short forms and small letters go on', () => {
  expect(read('Stores, e.g. Redis, keep it. see below').map(([words]) => words)).toEqual([
    'Stores, e.g. Redis, keep it. see below',
  ])
})
