// The lines of a document and their positions.
import { expect, test } from 'vitest'
import { layOutDocument, textAtPlace } from '../../../internal/document/document-lines.ts'

test('marks headings, separates blocks, and keeps rows together', () => {
  const blocks = [
    { text: 'Pools', place: 'page 1, line 1', heading: 'Pools' },
    { text: 'Cold\nwater', place: 'page 1, lines 2-3', heading: 'Pools' },
    { text: 'Depth', place: 'page 1, line 4', heading: 'Pools > Depth' },
  ]
  expect(layOutDocument(blocks)).toEqual({
    lines: ['# Pools', '', 'Cold', 'water', '', '## Depth'],
    places: ['page 1, line 1', '', 'page 1, lines 2-3', 'page 1, lines 2-3', '', 'page 1, line 4'],
  })
  expect(textAtPlace(blocks, 'page 1, lines 3-4')).toBe('Cold\nwater\n## Depth')
  const rows = [
    { text: 'a | b', place: 'row 1' },
    { text: 'a: 1; b: 2', place: 'row 2' },
  ]
  expect(layOutDocument(rows).lines).toEqual(['a | b', 'a: 1; b: 2'])
})

test('returns the text at a position, limited to the blocks there', () => {
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
