// The two sets of characters: what takes one cell, what is ASCII.
import { expect, test } from 'vitest'
import { ascii, type Glyphs, unicode } from '../../../internal/render/glyph.ts'
import { cells } from '../../../internal/render/width.ts'

function all(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(all) : []
}

test('every character of the Unicode set takes one cell', () => {
  expect(all(unicode).filter((glyph) => cells(glyph) !== 1)).toEqual([])
})

test('the other set is ASCII', () => {
  expect(all(ascii).filter((glyph) => !/^[\x20-\x7e]+$/.test(glyph))).toEqual([])
})

test('no glyph is missing', () => {
  const missing = (glyphs: Glyphs) =>
    JSON.stringify(glyphs, (_, value) => value ?? 'missing').includes('missing')
  expect([missing(unicode), missing(ascii)]).toEqual([false, false])
  expect(unicode.borders.double).toMatchObject({
    topLeft: '╔',
    bottomRight: '╝',
    side: '║',
    cross: '╬',
    teeUp: '╩',
  })
})
