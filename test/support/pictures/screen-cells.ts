// The cells of an emulated screen as rows of styled text, without ids, times and paths that differ between runs.
import type { Terminal } from '@xterm/headless'
import {
  type CellStyle,
  indexedColor,
  type ScreenCell,
  theme,
  toHex,
} from '../../../internal/render/svg/screen-cell.ts'

export interface ScreenMask {
  pattern: RegExp
  text: string
  /** The text ends where the match ended; spaces fill the rest. */
  isRight?: boolean
}

type Row = NonNullable<ReturnType<Terminal['buffer']['active']['getLine']>>
type Cell = NonNullable<ReturnType<Row['getCell']>>

function readStyle(cell: Cell): CellStyle {
  const pick = (isRgb: boolean, isPalette: boolean, value: number) =>
    isRgb ? toHex(value) : isPalette ? indexedColor(value) : undefined
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
    isStruck: cell.isStrikethrough() !== 0,
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
