// The widths that help is drawn for.
import { terminalOptions } from '../../internal/render/terminal.ts'
import type { CommandIo } from './verb.ts'

/** Cells of a line where no terminal says otherwise; the build draws for these. */
export const usualWidth = 80

/** Fewer cells than this leave no room for two columns. */
export const narrowWidth = 72

/** Cells that help takes: those of the terminal, up to a width that reads well. */
export function helpWidth(io: Pick<CommandIo, 'env' | 'stdout'>): number {
  return Math.min(terminalOptions({ env: io.env, stream: io.stdout }).width, 100)
}
