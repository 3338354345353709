// The drawing of terminal lines as an SVG image.

import { UserError } from '../../../internal/base/errors.ts'
import { countNoun } from '../../../internal/base/text/count-noun.ts'
import { drawScreen } from '../../../internal/render/svg/draw-screen.ts'
import { readStyledRows } from '../../../internal/render/svg/styled-line.ts'
import type { ColorDepth } from '../../../internal/render/terminal.ts'
import { countCells } from '../../../internal/render/text/cell-width.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg } from '../verb.ts'

/** Largest number of lines in an image, because viewers show higher images badly. More lines are an error. */
const maxRows = 5_000

/**
 * Returns the look for drawing an image: with all colors and characters, even if the terminal has fewer,
 * unless a flag or NO_COLOR excludes them.
 */
export function imageLook(
  args: CommandArgs,
  { env }: CommandIo,
): { color: ColorDepth; unicode: boolean; ambiguous: 1 } {
  const wish = stringArg(args, 'color')
  const isPlain = wish === 'never' || (wish !== 'always' && Boolean(env['NO_COLOR']))
  return { color: isPlain ? 0 : 3, unicode: !flagArg(args, 'ascii'), ambiguous: 1 }
}

/**
 * Returns the SVG image of rendered lines, as wide as the widest line or as the title bar needs. Throws
 * UserError for more than 5,000 lines.
 */
export const drawLines = (lines: readonly string[], title: string | undefined): string =>
  drawTerminalOutput(lines.join('\n'), title)

/**
 * Returns the SVG image of printed text with color codes, as wide as the widest line or as the title bar
 * needs. Other control sequences in the text are dropped. Throws UserError for more than 5,000 lines.
 */
export function drawTerminalOutput(text: string, title: string | undefined): string {
  const rows = readStyledRows(text)
  if (rows.length > maxRows)
    throw new UserError(
      `an image shows at most ${countNoun(maxRows, 'line')}, got ${countNoun(rows.length, 'line')}`,
      {
        hint: 'pass fewer lines',
      },
    )
  const columns = rows.map((row) => row.reduce((sum, { width }) => sum + width, 0))
  return drawScreen(rows, title, Math.max(minColumns(title), ...columns))
}

/**
 * Returns the smallest width of an image in cells. A title needs space for three buttons at the left, and the
 * same space at the right.
 */
const minColumns = (title: string | undefined) => (title === undefined ? 1 : countCells(title) + 16)
