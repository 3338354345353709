// Themes: readable on their background, empty without colors, and never the only carrier of a meaning.
import { expect, test } from 'vitest'
import { makePen } from '../../../../internal/render/pen.ts'
import { applyTheme, themes } from '../../../../internal/tui/view/themes.ts'
import { lookOf } from '../../../support/session-view.ts'

/** Returns the relative luminance as WCAG 2 defines it. */
function luminanceOf(hex: string): number {
  const channels = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  const [red = 0, green = 0, blue = 0] = channels
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrastOf(one: string, other: string): number {
  const [low = 0, high = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

test.each([
  ['dark', '#1e1e1e'],
  ['light', '#f5f5f5'],
] as const)('every color of %s is readable', (theme, background) => {
  const { palette = {} } = applyTheme(lookOf(80, 3), theme)
  expect(Object.keys(palette)).toContain('dim')
  for (const [name, color] of Object.entries(palette))
    expect(contrastOf(color, background), name).toBeGreaterThanOrEqual(4.5)
})

test.each(['dark', 'light'] as const)('every color of %s is readable on a changed line and word', (theme) => {
  const { palette = {}, tints } = applyTheme(lookOf(80, 3), theme)
  const backgrounds = Object.entries(tints ?? {})
  expect(backgrounds.length).toBe(4)
  for (const [side, background] of backgrounds)
    for (const [name, color] of Object.entries(palette))
      expect(contrastOf(color, background), `${name} on ${side}`).toBeGreaterThanOrEqual(4.5)
})

test('paints its colors, leaves those of the terminal theme, and uses none in mono', () => {
  const paint = (theme: (typeof themes)[number], color: 0 | 3) => {
    const pen = makePen(applyTheme(lookOf(80, color), theme))
    return pen.paint({ color: 'red', bold: true })('x') + pen.paint({ dim: true })('y')
  }
  expect(paint('auto', 3)).toBe('\x1b[31m\x1b[1mx\x1b[22m\x1b[39m\x1b[2my\x1b[22m')
  expect(paint('dark', 3)).toContain('\x1b[38;2;255;123;114m')
  expect(paint('light', 3)).not.toContain('\x1b[2m')
  expect(paint('mono', 3)).toBe('xy')
  for (const theme of themes) expect(paint(theme, 0)).toBe('xy')
})
