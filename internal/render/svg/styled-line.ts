// Reader of printed lines with color codes (SGR) into the cells of a screen.
import { splitClusters } from '../text/cell-width.ts'
import { filterPrintedText } from '../text/terminal-filter.ts'
import { type CellStyle, indexedColor, type ScreenCell, theme, toHex } from './screen-cell.ts'

/** The style that color codes have set. `toStyle` swaps the colors of inverse text. */
interface PenState {
  color: string | undefined
  background: string | undefined
  isBold: boolean
  isDim: boolean
  isItalic: boolean
  isUnderlined: boolean
  isStruck: boolean
  isInverse: boolean
}

const plainState: PenState = {
  color: undefined,
  background: undefined,
  isBold: false,
  isDim: false,
  isItalic: false,
  isUnderlined: false,
  isStruck: false,
  isInverse: false,
}

const sequence = /\x1b\[([0-9;]*)m/

/**
 * Returns the rows of a printed text. A style lasts until it is reset, also over line ends. All control
 * sequences but colors and type styles are removed.
 */
export function readStyledRows(text: string): ScreenCell[][] {
  let state = plainState
  const lines = filterPrintedText(text).replace(/\n$/, '').split('\n')
  return lines.map((line) =>
    line.split(sequence).flatMap((part, i) => {
      if (i % 2 === 0) return readCells(part, toStyle(state))
      state = applyCodes(state, part)
      return []
    }),
  )
}

function readCells(text: string, style: CellStyle): ScreenCell[] {
  const cells: ScreenCell[] = []
  for (const cluster of splitClusters(text)) {
    const last = cells.at(-1)
    if (cluster.cells > 0) cells.push({ text: cluster.text, width: cluster.cells, style })
    else if (last) last.text += cluster.text
  }
  return cells
}

function toStyle({ isInverse, color, background, ...flags }: PenState): CellStyle {
  const [front, back] = isInverse
    ? [background ?? theme.background, color ?? theme.color]
    : [color, background]
  return { ...flags, color: front, background: back }
}

/** Change of the style by code, except for code 0 and for codes that set a color. */
const switches: Readonly<Record<number, Partial<PenState>>> = {
  1: { isBold: true },
  2: { isDim: true },
  3: { isItalic: true },
  4: { isUnderlined: true },
  7: { isInverse: true },
  9: { isStruck: true },
  22: { isBold: false, isDim: false },
  23: { isItalic: false },
  24: { isUnderlined: false },
  27: { isInverse: false },
  29: { isStruck: false },
  39: { color: undefined },
  49: { background: undefined },
}

function applyCodes(before: PenState, parameters: string): PenState {
  let state = before
  const codes = parameters.split(';').map(Number)
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] as number
    if (code === 38 || code === 48) {
      const { color, count } = readExtendedColor(codes.slice(i + 1))
      if (color !== undefined) state = { ...state, [code === 38 ? 'color' : 'background']: color }
      i += count
    } else state = code === 0 ? plainState : { ...state, ...(switches[code] ?? paletteSwitch(code)) }
  }
  return state
}

/**
 * Returns the color that a code of 30 to 37, 40 to 47, 90 to 97 or 100 to 107 sets; an empty object
 * for other codes.
 */
function paletteSwitch(code: number): Partial<PenState> {
  const tens = Math.floor(code / 10)
  const index = (code % 10) + (tens >= 9 ? 8 : 0)
  if (code % 10 > 7) return {}
  if (tens === 3 || tens === 9) return { color: indexedColor(index) }
  return tens === 4 || tens === 10 ? { background: indexedColor(index) } : {}
}

/**
 * Reads the numbers after 38 or 48: `5;N` or `2;R;G;B`. `count` is how many numbers belong to the color.
 * `color` is undefined for invalid numbers.
 */
function readExtendedColor([kind, ...values]: readonly number[]): { color?: string; count: number } {
  const isByte = (value: number | undefined) => value !== undefined && value >= 0 && value <= 255
  const count = kind === 5 ? 1 : 3
  const colorNumbers = values.slice(0, count)
  if ((kind !== 5 && kind !== 2) || colorNumbers.length < count || !colorNumbers.every(isByte))
    return { count: count + 1 }
  const [first = 0, green = 0, blue = 0] = colorNumbers
  return {
    color: kind === 5 ? indexedColor(first) : toHex((first << 16) | (green << 8) | blue),
    count: count + 1,
  }
}
