// Every character that components draw frames and bars with is a shape of its cell.
import { describe, expect, it } from 'vitest'
import {
  drawFrameCharacter,
  frameCharacters,
  stretching,
} from '../../../../internal/render/svg/frame-characters.ts'
import { unicodeGlyphs } from '../../../../internal/render/text/glyphs.ts'

const box = { x: 16, y: 36, width: 8.4, height: 18 }
const { borders, eighths, spark, full, track, plot, bar, rule, underline, goesOn, thread } = unicodeGlyphs()
const { classic: _, ...drawn } = borders
const glyphs = [
  ...new Set([
    ...Object.values(drawn).flatMap((border) => Object.values(border)),
    ...[...eighths, ...spark, full, track, ...plot, bar, rule, underline, goesOn, thread],
  ]),
]

/** Ends of the strokes of a path, on the edges of the cell. */
function edgesOf(shape: string): string[] {
  const [, path = ''] = / d="([^"]*)"/.exec(shape) ?? []
  const ends = [...path.matchAll(/([VH])([\d.]+)(?=M|$)/g)].map(([, axis, at]) => `${axis}${at}`)
  const sides: Record<string, string> = { V36: 'u', V54: 'd', H16: 'l', 'H24.4': 'r' }
  const start = /^M[\d.]+ (36|54)V/.exec(path)?.[1]
  return [...new Set([...ends, ...(start ? [`V${start}`] : [])].map((end) => sides[end] ?? end))].sort()
}

describe('characters of components', () => {
  it.each(glyphs)('%s is a shape inside its cell', (glyph) => {
    expect(glyph).toMatch(frameCharacters)
    const shape = drawFrameCharacter(glyph, box, '#fff')
    expect(shape).toMatch(/^<(?:path d="M|rect )/)
    for (const [, x = '', y = ''] of shape.matchAll(/M([\d.]+) ([\d.]+)/g)) {
      expect(Number(x)).toBeGreaterThanOrEqual(box.x)
      expect(Number(x)).toBeLessThanOrEqual(box.x + box.width)
      expect(Number(y)).toBeGreaterThanOrEqual(box.y)
      expect(Number(y)).toBeLessThanOrEqual(box.y + box.height)
    }
  })

  it.each(Object.entries(drawn))('the border %s reaches the neighbors of each cell', (_, border) => {
    const reached = Object.fromEntries(
      Object.entries(border).map(([name, glyph]) => [
        name,
        edgesOf(drawFrameCharacter(glyph, box, '#fff')).join(''),
      ]),
    )
    expect(reached).toEqual({
      ...{ topLeft: 'dr', topRight: 'dl', bottomRight: 'lu', bottomLeft: 'ru', top: 'lr', side: 'du' },
      ...{ teeDown: 'dlr', teeLeft: 'dlu', teeUp: 'lru', teeRight: 'dru', cross: 'dlru' },
    })
  })

  it('bars grow by eighths of the cell', () => {
    const size = (glyph: string, side: string) =>
      Number(new RegExp(` ${side}="([\\d.]+)"`).exec(drawFrameCharacter(glyph, box, '#fff'))?.[1])
    expect(spark.map((glyph) => Math.round((size(glyph, 'height') * 8) / box.height))).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8,
    ])
    expect(eighths.map((glyph) => Math.round((size(glyph, 'width') * 8) / box.width))).toEqual([
      1, 2, 3, 4, 5, 6, 7,
    ])
  })

  it('stretches of one bar or line are one shape, other characters are shapes by themselves', () => {
    expect('┌──┬─┐██▌░░'.match(stretching)).toEqual(['┌', '──', '┬', '─', '┐', '██', '▌', '░░'])
  })
})
