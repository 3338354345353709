// Positions in documents as they are written and read back.
import { expect, test } from 'vitest'
import { formatPlace, parsePlace, spanPlaces } from '../../../internal/document/document-place.ts'

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
])('rejects %j as a position in a document', (place) => expect(parsePlace(place)).toBeUndefined())

test.each([
  ['page 3, line 4', 'page 3, lines 8-9', 'page 3, lines 4-9'],
  ['page 3, line 4', 'page 5, line 1', 'pages 3-5'],
  ['paragraph 4', 'paragraph 7', 'paragraphs 4-7'],
  ['cell 2', 'cell 2', 'cell 2'],
  ['section 1, paragraph 9', 'section 2, paragraph 1', 'sections 1-2'],
])('from %s to %s is %s', (first, last, span) => expect(spanPlaces(first, last)).toBe(span))
