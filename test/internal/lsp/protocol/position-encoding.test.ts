// Columns in the units of a server and back.
import { expect, it } from 'vitest'
import { fromServerColumn, toServerColumn } from '../../../../internal/lsp/protocol/position-encoding.ts'
import { choice, rng } from '../../../support/rng.ts'

const line = 'aä€👍z'

it.each([
  [0, 0],
  [1, 1],
  [2, 3],
  [3, 6],
  [5, 10],
  [6, 11],
  [9, 14],
])('UTF-16 column %i is UTF-8 column %i', (units, bytes) => {
  expect(toServerColumn(line, units, 'utf-8')).toBe(bytes)
  expect(fromServerColumn(line, bytes, 'utf-8')).toBe(units)
})

it('uses the start of a character for a column in its middle', () => {
  expect([4, 5].map((bytes) => fromServerColumn(line, bytes, 'utf-8'))).toEqual([2, 2])
  expect([7, 8, 9].map((bytes) => fromServerColumn(line, bytes, 'utf-8'))).toEqual([3, 3, 3])
})

it('leaves UTF-16 columns and columns of an unknown line unchanged', () => {
  expect(toServerColumn(line, 4, 'utf-16')).toBe(4)
  expect(fromServerColumn(undefined, 4, 'utf-8')).toBe(4)
  expect(toServerColumn(undefined, 4, 'utf-8')).toBe(4)
})

it('returns the original column after both conversions', () => {
  const seed = Date.now()
  console.log(`seed ${seed}`)
  const random = rng(seed)
  for (let i = 0; i < 500; i++) {
    const signs = Array.from({ length: Math.floor(random() * 20) }, () =>
      choice(random, ['a', 'ß', '語', '😀', '\t']),
    )
    const column = signs.slice(0, Math.floor(random() * (signs.length + 1))).join('').length
    const text = signs.join('')
    expect(fromServerColumn(text, toServerColumn(text, column, 'utf-8'), 'utf-8')).toBe(column)
  }
})
