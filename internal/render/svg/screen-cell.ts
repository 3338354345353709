// A cell of a terminal screen with its style, and the colors that images of screens have.

export interface CellStyle {
  /** Color as `#rrggbb`. Default: the color of the theme. */
  color?: string | undefined
  background?: string | undefined
  isBold: boolean
  isDim: boolean
  isItalic: boolean
  isUnderlined: boolean
  isStruck: boolean
}

export interface ScreenCell {
  text: string
  /** Number of columns: 1, or 2 for a wide character. */
  width: number
  style: CellStyle
}

export const theme = { color: '#e6edf3', background: '#0d1117' }

/** Colors on a dark background, in the order of a terminal: normal, then bright. */
const palette = [
  ...['#484f58', '#ff7b72', '#3fb950', '#d29922', '#58a6ff', '#bc8cff', '#39c5cf', '#b1bac4'],
  ...['#6e7681', '#ffa198', '#56d364', '#e3b341', '#79c0ff', '#d2a8ff', '#56d4dd', '#f0f6fc'],
]

/** Returns `#rrggbb` for a number of 24 bits. */
export const toHex = (value: number) => `#${value.toString(16).padStart(6, '0')}`

/**
 * Returns the color of a terminal color number from 0 to 255: the 16 colors of the palette, a cube of 216
 * colors, and 24 grays.
 */
export function indexedColor(index: number): string {
  if (index < 16) return palette[index] as string
  if (index >= 232) return toHex((8 + (index - 232) * 10) * 0x010101)
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40)
  const [red, green, blue] = [36, 6, 1].map((unit) => level(Math.floor((index - 16) / unit) % 6))
  return toHex(((red as number) << 16) | ((green as number) << 8) | (blue as number))
}
