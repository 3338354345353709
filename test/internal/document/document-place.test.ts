// Places as they are written and read back.
import { expect, test } from 'vitest'
import {
  formatPlace,
  parsePlace,
  spanPlaces,
  textAtPlace,
} from '../../../internal/document/document-place.ts'

test.each([
  'page 3',
  'page 3, line 12',
  'page 3, lines 4-9',
  'pages 3-4',
  'cell 2',
  'rows 2-40',
  'section 2, paragraph 5',
])('%s is the same after reading', (place) => {
  const read = parsePlace(place)
  expect(read && formatPlace(read)).toBe(place)
})

test.each([
  '12',
  '12-40',
  '3-5,9',
  '',
  'page',
  'page x',
  'Introduction',
  'page 1, page 2, line 3',
  'row 99999999999',
])('%j is no place within a document', (place) => expect(parsePlace(place)).toBeUndefined())

test.each([
  ['page 3, line 4', 'page 3, lines 8-9', 'page 3, lines 4-9'],
  ['page 3, line 4', 'page 5, line 1', 'pages 3-5'],
  ['paragraph 4', 'paragraph 7', 'paragraphs 4-7'],
  ['cell 2', 'cell 2', 'cell 2'],
  ['section 1, paragraph 9', 'section 2, paragraph 1', 'sections 1-2'],
])('from %s to %s is %s', (first, last, span) => expect(spanPlaces(first, last)).toBe(span))

test('text at a place, as far as its blocks reach', () => {
  const blocks = [
    { place: 'page 1, lines 1-3', text: 'a' },
    { place: 'page 1, line 4', text: 'b' },
    { place: 'page 2, line 1', text: 'c' },
    { place: 'page 3, line 1', text: 'd' },
  ]
  expect(textAtPlace(blocks, 'page 1')).toBe('a\nb')
  expect(textAtPlace(blocks, 'page 1, lines 3-4')).toBe('a\nb')
  expect(textAtPlace(blocks, 'page 1, line 4')).toBe('b')
  expect(textAtPlace(blocks, 'pages 2-3')).toBe('c\nd')
  expect(textAtPlace(blocks, 'page 4')).toBeUndefined()
  expect(textAtPlace(blocks, '1-3')).toBeUndefined()
  expect(
    textAtPlace(
      [
        { place: 'cell 2', text: 'code' },
        { place: 'cell 2', text: 'output' },
      ],
      'cell 2',
    ),
  ).toBe('code\noutput')
})
