// Glyphs of the renderer in Unicode and in ASCII.
import { once } from '../../base/once.ts'

/**
 * Characters of a border: corners clockwise from the top left, edges, and the crossings that a table needs.
 */
export interface BorderGlyphs {
  topLeft: string
  topRight: string
  bottomRight: string
  bottomLeft: string
  top: string
  side: string
  /**
   * Characters where lines meet. `teeDown` is a horizontal line with a branch down, and so on; `cross` has
   * lines to all four sides.
   */
  teeDown: string
  teeLeft: string
  teeUp: string
  teeRight: string
  cross: string
}

export type BorderStyle = 'single' | 'double' | 'round' | 'bold' | 'singleDouble' | 'doubleSingle' | 'classic'

export interface GlyphSet {
  borders: Readonly<Record<BorderStyle, BorderGlyphs>>
  /** Character for the line of a divider; `bar` is the one for the bar next to a callout. */
  rule: string
  bar: string
  /** Mark on the left of a wrapped line. */
  goesOn: string
  ellipsis: string
  /** Text that is shown for a missing value. */
  nothing: string
  /** Text that is shown for a value that is not a number. */
  noNumber: string
  /** Character for the line below a main heading. */
  underline: string
  bullet: string
  /** Marks for done and open tasks in a task list. */
  task: { done: string; open: string }
  /** Character for a full cell; `eighths` are those for one to seven eighths (ASCII has none). */
  full: string
  eighths: readonly string[]
  /** Character for the unfilled part of a progress bar. */
  track: string
  spark: readonly string[]
  status: Readonly<Record<'info' | 'success' | 'warning' | 'error', string>>
  trend: Readonly<Record<'up' | 'down' | 'neutral', string>>
  step: Readonly<Record<'completed' | 'current' | 'upcoming', string>>
  /** Character for the line between the steps of a timeline. */
  thread: string
  dot: string
  /** The ten symbols with which asciichart draws lines. */
  plot: readonly string[]
}

/** Parses a border from its three rows, for example `┌─┬┐`, `│├┼┤`, `└┴┘`. */
function parseBorder(top: string, middle: string, bottom: string): BorderGlyphs {
  const [topLeft, edge, teeDown, topRight] = [...top] as [string, string, string, string]
  const [side, teeRight, cross, teeLeft] = [...middle] as [string, string, string, string]
  const [bottomLeft, teeUp, bottomRight] = [...bottom] as [string, string, string]
  return {
    topLeft,
    topRight,
    bottomRight,
    bottomLeft,
    top: edge,
    side,
    teeDown,
    teeLeft,
    teeUp,
    teeRight,
    cross,
  }
}

const classic = once(() => parseBorder('+-++', '|+++', '+++'))

export const unicodeGlyphs = once(
  (): GlyphSet => ({
    borders: {
      single: parseBorder('┌─┬┐', '│├┼┤', '└┴┘'),
      double: parseBorder('╔═╦╗', '║╠╬╣', '╚╩╝'),
      round: parseBorder('╭─┬╮', '│├┼┤', '╰┴╯'),
      bold: parseBorder('┏━┳┓', '┃┣╋┫', '┗┻┛'),
      singleDouble: parseBorder('╓─╥╖', '║╟╫╢', '╙╨╜'),
      doubleSingle: parseBorder('╒═╤╕', '│╞╪╡', '╘╧╛'),
      classic: classic(),
    },
    rule: '─',
    bar: '┃',
    goesOn: '╎',
    ellipsis: '…',
    nothing: '—',
    noNumber: '–',
    underline: '═',
    bullet: '•',
    task: { done: '☑', open: '☐' },
    full: '█',
    eighths: ['▏', '▎', '▍', '▌', '▋', '▊', '▉'],
    track: '░',
    spark: ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
    status: { info: 'ℹ', success: '✔', warning: '⚠', error: '✖' },
    trend: { up: '▲', down: '▼', neutral: '~' },
    step: { completed: '●', current: '◆', upcoming: '○' },
    thread: '│',
    dot: '•',
    plot: ['┼', '┤', '╶', '╴', '─', '╰', '╭', '╮', '╯', '│'],
  }),
)

export const asciiGlyphs = once(
  (): GlyphSet => ({
    borders: {
      single: classic(),
      double: classic(),
      round: classic(),
      bold: classic(),
      singleDouble: classic(),
      doubleSingle: classic(),
      classic: classic(),
    },
    rule: '-',
    bar: '|',
    goesOn: ':',
    ellipsis: '...',
    nothing: '-',
    noNumber: '-',
    underline: '=',
    bullet: '*',
    task: { done: '[x]', open: '[ ]' },
    full: '#',
    eighths: [],
    track: '.',
    spark: ['_', '.', '-', '=', '*', '#'],
    status: { info: '[info]', success: '[ok]', warning: '[warn]', error: '[error]' },
    trend: { up: '^', down: 'v', neutral: '~' },
    step: { completed: '[x]', current: '[>]', upcoming: '[ ]' },
    thread: '|',
    dot: '*',
    plot: ['+', '|', '-', '-', '-', '\\', '/', '\\', '/', '|'],
  }),
)
