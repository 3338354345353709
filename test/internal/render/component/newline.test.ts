// Newline: as many empty lines as asked for.
import { expect, test } from 'vitest'
import { codes, draw } from '../draw.ts'

test('draws one line, several lines, or none', () => {
  expect(draw('Newline', {})).toEqual([''])
  expect(draw('Newline', { count: 3 })).toEqual(['', '', ''])
  expect(draw('Newline', { count: 0 })).toEqual([])
  expect(draw('Newline', { count: 2 }, { plain: true })).toEqual(['', ''])
})

test('rejects more than fifty', () => {
  expect(codes({ x: { type: 'Newline', props: { count: 51 } } })).toEqual(['bad_prop'])
})
