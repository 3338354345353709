// The arguments of a call as lines for users: `key: value`, with multiline texts as blocks. No
// value is shortened.
import { readCodeLines } from '../../base/code/code-reader.ts'
import { isReadableCode } from '../../base/code/code-runs.ts'
import { escapeInvisible } from '../../base/text/invisible-chars.ts'
import type { SourceLine } from '../terminal/rows.ts'

/** Deepest level at which nested values are shown as lines. Deeper values are shown as JSON. */
const deepest = 6

export interface TextLook {
  /** Text that is shown in place of a tab. */
  tab: string
  /** Text that is shown before each line of a block. */
  bar: string
  /** Text that is shown in place of omitted lines. */
  gap: string
  /** True if a command is highlighted as code, as on a terminal with colors. */
  isColored?: boolean
}

export const textLook = (unicode: boolean, color = 0): TextLook =>
  unicode
    ? { tab: '→   ', bar: '│', gap: '…', isColored: color > 0 }
    : { tab: '\\t', bar: '|', gap: '...', isColored: color > 0 }

/**
 * Yields the lines of all arguments except those in `shownKeys` and undefined ones. Words, numbers and
 * booleans of at most 30 characters share one line. A longer text cannot imitate that line, because it gets
 * a separate line.
 */
export function* argumentLines(
  args: Readonly<Record<string, unknown>>,
  look: TextLook,
  shownKeys: readonly string[] = [],
): Generator<SourceLine> {
  const entries = Object.entries(args).filter(
    ([key, value]) => value !== undefined && !shownKeys.includes(key),
  )
  const isShort = ([key, value]: [string, unknown]) =>
    /^[\w.-]{1,30}$/.test(key) && /^[\w.:/-]{1,30}$/.test(String(value)) && typeof value !== 'object'
  const short = entries
    .filter(isShort)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? quoteIfOdd(value) : value}`)
  if (short.length > 0) yield { text: short.join('  '), foreign: true }
  for (const [key, value] of entries.filter((one) => !isShort(one)))
    for (const text of valueLines(`${escapeInvisible(key)}:`, value, '', 0, look))
      yield { text, foreign: true }
}

/**
 * Yields the lines of a text with invisible characters escaped. A tab is shown as `look.tab`, and a space at
 * the end of a line as `\x20`.
 */
function* blockLines(text: string, look: TextLook): Generator<string> {
  let start = 0
  for (let end = 0; end >= 0; start = end + 1) {
    end = text.indexOf('\n', start)
    const line = text.slice(start, end < 0 ? undefined : end)
    yield escapeInvisible(line, { tab: look.tab }).replace(/ $/, '\\x20')
  }
}

/**
 * Yields the lines of a command. A very long command is not highlighted, and its lines are
 * made when requested.
 */
export function* commandLines(command: string, look: TextLook): Generator<SourceLine> {
  const isRead = look.isColored === true && isReadableCode(command)
  const runs = isRead ? readCodeLines([...blockLines(command, look)].join('\n'), 'bash') : undefined
  let i = 0
  for (const text of blockLines(command, look)) yield { text, foreign: true, runs: runs?.[i++] }
}

function* valueLines(
  lead: string,
  value: unknown,
  indent: string,
  depth: number,
  look: TextLook,
): Generator<string> {
  if (typeof value === 'string' && value.includes('\n')) {
    yield `${indent}${lead}`
    for (const line of blockLines(value, look)) yield `${indent}  ${look.bar} ${line}`
    return
  }
  if (typeof value === 'string') return yield `${indent}${lead} ${escapeInvisible(quoteIfOdd(value))}`
  if (typeof value !== 'object' || value === null) return yield `${indent}${lead} ${String(value)}`
  const isList = Array.isArray(value)
  const entries = isList ? value.map((one) => ['-', one] as const) : Object.entries(value)
  if (entries.length === 0) return yield `${indent}${lead} ${isList ? '[]' : '{}'}`
  if (depth >= deepest) return yield `${indent}${lead} ${escapeInvisible(JSON.stringify(value))}`
  yield `${indent}${lead}`
  for (const [key, one] of entries)
    yield* valueLines(isList ? '-' : `${escapeInvisible(key)}:`, one, `${indent}  `, depth + 1, look)
}

/** Returns the text, in quotes if it could be misread without them. */
function quoteIfOdd(text: string): string {
  const isOdd = text === '' || /^\s|\s$|^["[{]|^(true|false|null|-?\d[\d.eE+-]*)$/.test(text)
  return isOdd ? JSON.stringify(text) : text
}
