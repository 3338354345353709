// The smallest size of a terminal that has room for a screen, and the line that a smaller terminal shows.
import type { TerminalSize } from './live-reflow.ts'

const least: TerminalSize = { columns: 20, rows: 6 }

export const isTooSmall = ({ columns, rows }: TerminalSize): boolean =>
  columns < least.columns || rows < least.rows

export const drawLeastSize = ({ columns }: TerminalSize): string =>
  `needs ${least.columns}x${least.rows}`.slice(0, Math.max(0, columns - 1))
