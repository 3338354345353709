// The two sets of characters: what takes one cell, what is ASCII.
import { expect, test } from 'vitest'
import { countCells } from '../../../../internal/render/text/cell-width.ts'
import { asciiGlyphs, type GlyphSet, unicodeGlyphs } from '../../../../internal/render/text/glyphs.ts'

function all(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(all) : []
}

test('every character of the Unicode set takes one cell', () => {
  expect(all(unicodeGlyphs()).filter((glyph) => countCells(glyph) !== 1)).toEqual([])
})

test('every character of the ASCII set is ASCII', () => {
  expect(all(asciiGlyphs()).filter((glyph) => !/^[\x20-\x7e]+$/.test(glyph))).toEqual([])
})

test('both sets are complete', () => {
  const missing = (glyphs: GlyphSet) =>
    JSON.stringify(glyphs, (_, value) => value ?? 'missing').includes('missing')
  expect([missing(unicodeGlyphs()), missing(asciiGlyphs())]).toEqual([false, false])
  expect(unicodeGlyphs().borders.double).toMatchObject({
    topLeft: '╔',
    bottomRight: '╝',
    side: '║',
    cross: '╬',
    teeUp: '╩',
  })
})
