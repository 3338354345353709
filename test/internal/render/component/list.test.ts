// List: bullets, numbers, spacing.
import { expect, test } from 'vitest'
import { draw } from '../draw.ts'

const items = ['one', 'two words that wrap', 'three']

const cases: [object, number, string[]][] = [
  [{ items: ['a', 'b'] }, 40, ['• a', '• b']],
  [{ items, bulletChar: '->' }, 20, ['-> one', '-> two words that', '   wrap', '-> three']],
  [{ items: ['a', 'b'], ordered: true }, 40, ['1. a', '2. b']],
  [{ items: ['a', 'b'], spacing: 2 }, 40, ['• a', '', '', '• b']],
  [{ items: [] }, 40, ['(no items)']],
  [{ items: [''] }, 40, ['•']],
  [{ items: [1, true, null] }, 40, ['• 1', '• true', '•']],
]

test.each(cases)('draws a list with %j at width %i', (props, width, lines) => {
  expect(draw('List', props, { width })).toEqual(lines)
})

test('right-aligns numbers', () => {
  const ten = draw('List', { items: Array.from({ length: 10 }, (_, i) => `i${i}`), ordered: true })
  expect([ten[0], ten[9]]).toEqual([' 1. i0', '10. i9'])
})

test('draws ASCII and plain output', () => {
  expect(draw('List', { items: ['a'] }, { unicode: false })).toEqual(['* a'])
  expect(draw('List', { items: ['a'] }, { plain: true })).toEqual(['- a'])
  expect(draw('List', { items: ['a', 'b'], ordered: true }, { plain: true })).toEqual(['1. a', '2. b'])
  expect(draw('List', { items: [] }, { plain: true })).toEqual(['(no items)'])
})
