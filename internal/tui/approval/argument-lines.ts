// Arguments of a call as people read them: `key: value`, texts of several lines as blocks, nothing left out.
import { escapeInvisible } from '../../base/text/invisible-chars.ts'
import type { SourceLine } from '../terminal/rows.ts'

/** Deeper values are shown as JSON. */
const deepest = 6

export interface TextLook {
  /** What stands for a tab. */
  tab: string
  /** What stands before each line of a block. */
  bar: string
  /** What stands for lines that are left out. */
  gap: string
}

export const textLook = (unicode: boolean): TextLook =>
  unicode ? { tab: '→   ', bar: '│', gap: '…' } : { tab: '\\t', bar: '|', gap: '...' }

/**
 * All arguments but those in `shown`; words and numbers share a line, which no text of more words can pass
 * for.
 */
export function argumentLines(
  args: Readonly<Record<string, unknown>>,
  look: TextLook,
  shown: readonly string[] = [],
): SourceLine[] {
  const entries = Object.entries(args).filter(([key, value]) => value !== undefined && !shown.includes(key))
  const isShort = ([key, value]: [string, unknown]) =>
    /^[\w.-]{1,30}$/.test(key) && /^[\w.:/-]{1,30}$/.test(String(value)) && typeof value !== 'object'
  const short = entries.filter(isShort).flatMap(([key, value]) => valueLines(`${key}:`, value, '', 0, look))
  const long = entries
    .filter((one) => !isShort(one))
    .flatMap(([key, value]) => valueLines(`${escapeInvisible(key)}:`, value, '', 0, look))
  const texts = short.length > 0 ? [short.join('  '), ...long] : long
  return texts.map((text) => ({ text, foreign: true }))
}

/** The lines of a text, each as it is; blanks at the end of a line are written out. */
export function blockLines(text: string, look: TextLook): string[] {
  return text.split('\n').map((line) => escapeInvisible(line, { tab: look.tab }).replace(/ $/, '\\x20'))
}

function valueLines(lead: string, value: unknown, indent: string, depth: number, look: TextLook): string[] {
  if (typeof value === 'string' && value.includes('\n')) {
    const block = blockLines(value, look).map((line) => `${indent}  ${look.bar} ${line}`)
    return [`${indent}${lead}`, ...block]
  }
  if (typeof value === 'string') return [`${indent}${lead} ${escapeInvisible(quoted(value))}`]
  if (typeof value !== 'object' || value === null) return [`${indent}${lead} ${String(value)}`]
  const isList = Array.isArray(value)
  const entries = isList ? value.map((one) => ['-', one] as const) : Object.entries(value)
  if (entries.length === 0) return [`${indent}${lead} ${isList ? '[]' : '{}'}`]
  if (depth >= deepest) return [`${indent}${lead} ${escapeInvisible(JSON.stringify(value))}`]
  const below = entries.flatMap(([key, one]) =>
    valueLines(isList ? '-' : `${escapeInvisible(key)}:`, one, `${indent}  `, depth + 1, look),
  )
  return [`${indent}${lead}`, ...below]
}

/** In marks only what would be read as something else without them. */
function quoted(text: string): string {
  const isOdd = text === '' || /^\s|\s$|^["[{]|^(true|false|null|-?\d[\d.eE+-]*)$/.test(text)
  return isOdd ? JSON.stringify(text) : text
}
