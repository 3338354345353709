// The widths for which help texts are formatted.
import { terminalOptions } from '../../internal/render/terminal.ts'
import type { CommandIo } from './verb.ts'

/**
 * Width of help in cells if neither the variable COLUMNS nor a terminal sets another. The build stores the
 * help for this width.
 */
export const usualWidth = 80

/** Smallest width in cells of help in two columns; narrower help has one column. */
export const narrowWidth = 72

/**
 * Returns the width of help in cells: that of the variable COLUMNS or the terminal, at most 100; 80 if
 * both are unknown.
 */
export function helpWidth(io: Pick<CommandIo, 'env' | 'stdout'>): number {
  return Math.min(terminalOptions({ env: io.env, stream: io.stdout }).width, 100)
}
