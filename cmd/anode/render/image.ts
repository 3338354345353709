// Renders lines of a terminal as an SVG image.

import { UserError } from '../../../internal/base/errors.ts'
import { countNoun } from '../../../internal/base/text/count-noun.ts'
import { drawScreen } from '../../../internal/render/svg/draw-screen.ts'
import { readStyledRows } from '../../../internal/render/svg/styled-line.ts'
import type { ColorDepth } from '../../../internal/render/terminal.ts'
import { countCells } from '../../../internal/render/text/cell-width.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg } from '../verb.ts'

/** Maximum number of lines in an image. Viewers show higher images badly. */
const maxRows = 5_000

/** Returns the capabilities for an image: all colors and characters, even if the terminal has fewer. */
export function imageLook(
  args: CommandArgs,
  { env }: CommandIo,
): { color: ColorDepth; unicode: boolean; ambiguous: 1 } {
  const wish = stringArg(args, 'color')
  const isPlain = wish === 'never' || (wish !== 'always' && Boolean(env['NO_COLOR']))
  return { color: isPlain ? 0 : 3, unicode: !flagArg(args, 'ascii'), ambiguous: 1 }
}

/** Returns the SVG image of rendered lines, as wide as the widest. Throws a `UserError` over 5,000 lines. */
export const drawLines = (lines: readonly string[], title: string | undefined): string =>
  drawTerminalOutput(lines.join('\n'), title)

/** Returns the SVG image of printed text with color codes; other control sequences are dropped. */
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
 * Returns the minimum width of an image: a title needs space for three buttons at the left, and the same
 * space at the right.
 */
const minColumns = (title: string | undefined) => (title === undefined ? 1 : countCells(title) + 16)
