// Colors and styles of terminal text: the known color names, and painting with them.
import { Chalk, type ChalkInstance } from 'chalk'
import type { ColorDepth } from '../terminal.ts'

export interface TextStyle {
  color?: string | null | undefined
  backgroundColor?: string | null | undefined
  bold?: boolean | null | undefined
  dim?: boolean | null | undefined
  italic?: boolean | null | undefined
  underline?: boolean | null | undefined
  strikethrough?: boolean | null | undefined
  inverse?: boolean | null | undefined
}

/** Returns a line of text surrounded by the color codes of one style. */
export type TextPainter = (text: string) => string

const names = [
  'black',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  'white',
  'gray',
  'grey',
  'redBright',
  'greenBright',
  'yellowBright',
  'blueBright',
  'magentaBright',
  'cyanBright',
  'whiteBright',
] as const

type ColorName = (typeof names)[number]

const isName = (color: string): color is ColorName => (names as readonly string[]).includes(color)
const isHex = (color: string) => /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(color)

/** Returns whether the color is one of the sixteen names (gray is also grey), `#rgb` or `#rrggbb`. */
export function isColor(color: string): boolean {
  return isName(color) || isHex(color)
}

export const colorHint = () => `known: ${names.filter((name) => name !== 'grey').join(', ')}, #rgb, #rrggbb`

const keepText: TextPainter = (text) => text

/**
 * Creates a function that makes painters for one color depth. An unknown color is ignored. A painter for an
 * empty style or for depth 0 returns the text unchanged.
 */
export function makePainter(
  depth: ColorDepth,
  palette: ColorPalette = {},
): (style: TextStyle) => TextPainter {
  if (depth === 0) return () => keepText
  const base = new Chalk({ level: depth })
  const painters = new Map<string, TextPainter>()
  return (style) => {
    const key = JSON.stringify(style)
    let paint = painters.get(key)
    if (!paint) {
      const chalk = applyStyle(base, recolorStyle(style, palette))
      paint = chalk === base ? keepText : (text) => (text === '' ? '' : chalk(text))
      painters.set(key, paint)
    }
    return paint
  }
}

/** Colors of a theme by name. Dim text without another color gets the color `dim`. */
export type ColorPalette = Readonly<Record<string, string>>

/** Background colors of changed lines and of changed words in a diff, as `#rrggbb`. */
export type ChangeTints = Readonly<Record<'added' | 'addedWords' | 'removed' | 'removedWords', string>>

function recolorStyle(style: TextStyle, palette: ColorPalette): TextStyle {
  const { color, dim } = style
  if (color) return { ...style, color: palette[color] ?? color }
  return dim && palette.dim !== undefined ? { ...style, dim: false, color: palette.dim } : style
}

function applyStyle(base: ChalkInstance, style: TextStyle): ChalkInstance {
  let chalk = base
  const { color, backgroundColor } = style
  if (backgroundColor && isName(backgroundColor)) {
    chalk =
      chalk[
        `bg${backgroundColor[0]?.toUpperCase()}${backgroundColor.slice(1)}` as `bg${Capitalize<ColorName>}`
      ]
  } else if (backgroundColor && isHex(backgroundColor)) {
    chalk = chalk.bgHex(backgroundColor)
  }
  if (color && isName(color)) chalk = chalk[color]
  else if (color && isHex(color)) chalk = chalk.hex(color)
  if (style.bold) chalk = chalk.bold
  if (style.dim) chalk = chalk.dim
  if (style.italic) chalk = chalk.italic
  if (style.underline) chalk = chalk.underline
  if (style.strikethrough) chalk = chalk.strikethrough
  if (style.inverse) chalk = chalk.inverse
  return chalk
}
