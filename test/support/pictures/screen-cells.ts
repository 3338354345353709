// The cells of an emulated screen as rows of styled text, without ids, times and paths that differ between runs.
import type { Terminal } from '@xterm/headless'

export interface CellStyle {
  /** `#rrggbb`; default: the color of the theme. */
  color?: string
  background?: string
  isBold: boolean
  isDim: boolean
  isItalic: boolean
  isUnderlined: boolean
}

export interface ScreenCell {
  text: string
  /** Columns: 1, or 2 for wide characters. */
  width: number
  style: CellStyle
}

export interface ScreenMask {
  pattern: RegExp
  text: string
  /** The text ends where the match ended; spaces fill the rest. */
  isRight?: boolean
}

/** Colors on a dark background, in the order of a terminal: normal, then bright. */
const palette = [
  ...['#484f58', '#ff7b72', '#3fb950', '#d29922', '#58a6ff', '#bc8cff', '#39c5cf', '#b1bac4'],
  ...['#6e7681', '#ffa198', '#56d364', '#e3b341', '#79c0ff', '#d2a8ff', '#56d4dd', '#f0f6fc'],
]
export const theme = { color: '#e6edf3', background: '#0d1117' }

type Row = NonNullable<ReturnType<Terminal['buffer']['active']['getLine']>>
type Cell = NonNullable<ReturnType<Row['getCell']>>

const toHex = (value: number) => `#${value.toString(16).padStart(6, '0')}`

/** Returns a color of the cube of 216 colors, or of the 24 grays after it. */
function extendedColor(index: number): string {
  if (index < 16) return palette[index] as string
  if (index >= 232) return toHex((8 + (index - 232) * 10) * 0x010101)
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40)
  const [red, green, blue] = [36, 6, 1].map((unit) => level(Math.floor((index - 16) / unit) % 6))
  return toHex(((red as number) << 16) | ((green as number) << 8) | (blue as number))
}

function readStyle(cell: Cell): CellStyle {
  const pick = (isRgb: boolean, isPalette: boolean, value: number) =>
    isRgb ? toHex(value) : isPalette ? extendedColor(value) : undefined
  let color = pick(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor())
  let background = pick(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor())
  if (cell.isInverse()) [color, background] = [background ?? theme.background, color ?? theme.color]
  return {
    ...(color !== undefined && { color }),
    ...(background !== undefined && { background }),
    isBold: cell.isBold() !== 0,
    isDim: cell.isDim() !== 0,
    isItalic: cell.isItalic() !== 0,
    isUnderlined: cell.isUnderline() !== 0,
  }
}

function readRow(row: Row): ScreenCell[] {
  const cells: ScreenCell[] = []
  for (let column = 0; column < row.length; column++) {
    const cell = row.getCell(column)
    if (cell && cell.getWidth() > 0)
      cells.push({ text: cell.getChars() || ' ', width: cell.getWidth(), style: readStyle(cell) })
  }
  return cells
}

/** Returns the rows of the emulator, scrollback included, without empty rows at both ends. */
export function readScreenCells(terminal: Terminal, masks: readonly ScreenMask[]): ScreenCell[][] {
  const { active } = terminal.buffer
  const rows = Array.from({ length: active.length }, (_, i) => readRow(active.getLine(i) as Row))
  const isVisible = (row: readonly ScreenCell[]) =>
    row.some(({ text, style }) => text !== ' ' || style.background !== undefined)
  const first = rows.findIndex(isVisible)
  return rows.slice(first, rows.findLastIndex(isVisible) + 1).map((row) => maskRow(row, masks))
}

/** Replaces each match; the new text takes the style of the last cell of the match. */
export function maskRow(row: readonly ScreenCell[], masks: readonly ScreenMask[]): ScreenCell[] {
  let cells = [...row]
  for (const { pattern, text, isRight } of masks) {
    const matches = [
      ...cells
        .map((cell) => cell.text[0])
        .join('')
        .matchAll(new RegExp(pattern, 'g')),
    ]
    for (const match of matches.reverse()) {
      const { style } = cells[match.index + match[0].length - 1] as ScreenCell
      const filled = isRight ? text.padStart(match[0].length) : text
      const masked = [...filled].map((letter) => ({ text: letter, width: 1, style }))
      cells = [...cells.slice(0, match.index), ...masked, ...cells.slice(match.index + match[0].length)]
    }
  }
  return cells
}
