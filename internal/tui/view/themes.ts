// The color themes of a screen: the terminal's colors, palettes for dark and light backgrounds, or no colors.
import type { RenderLook } from '../../render/pen.ts'
import type { ChangeTints, ColorPalette } from '../../render/text/color.ts'

/** Names of the themes. `auto` uses the sixteen colors that the user has configured in the terminal. */
export const themes = ['auto', 'dark', 'light', 'mono'] as const
export type ScreenTheme = (typeof themes)[number]

export const themeAbout: Readonly<Record<ScreenTheme, string>> = {
  auto: "the terminal's colors",
  dark: 'colors for a dark background',
  light: 'colors for a light background',
  mono: 'no colors',
}

/**
 * Colors of the themes. Each has a contrast of at least 4.5 to 1 on its backgrounds: `dark` on #1e1e1e and
 * darker, `light` on #f5f5f5 and lighter.
 */
const palettes: Readonly<Record<'dark' | 'light', ColorPalette>> = {
  dark: {
    red: '#ff7b72',
    green: '#7ee787',
    yellow: '#e3b341',
    blue: '#79c0ff',
    magenta: '#d2a8ff',
    cyan: '#76e3ea',
    gray: '#9da7b1',
    dim: '#9da7b1',
  },
  light: {
    red: '#b31d28',
    green: '#116329',
    yellow: '#7d4e00',
    blue: '#0550ae',
    magenta: '#6f42c1',
    cyan: '#0b6a71',
    gray: '#57606a',
    dim: '#57606a',
  },
}

/** Backgrounds for changed text, on which each color has a contrast of at least 4.5 to 1. */
const tints: Readonly<Record<'dark' | 'light', ChangeTints>> = {
  dark: { added: '#10251a', addedWords: '#1a4027', removed: '#2c1619', removedWords: '#57222a' },
  light: { added: '#e4f8ea', addedWords: '#c3efcf', removed: '#fdebea', removedWords: '#fbd5d3' },
}

/** Returns the look with the colors of the theme. A terminal without colors stays without them. */
export function applyTheme(look: RenderLook, theme: ScreenTheme): RenderLook {
  if (theme === 'mono') return { ...look, color: 0 }
  return theme === 'auto' || look.color === 0
    ? look
    : { ...look, palette: palettes[theme], tints: tints[theme] }
}
