// Search for a text that matches except for line ends, white space, quotes, dashes or invisible characters,
// with more and more tolerance.
import { readBackHidden } from '../base/text/hidden-chars.ts'
import { splitLines, withoutEol } from '../base/text/lines.ts'
import type { TextMatch } from './exact-match.ts'
import { foldUnseen, typographicKin } from './unseen-characters.ts'

/**
 * Differences that a match may have, from strict to tolerant. Each step also allows those of
 * the previous steps.
 */
const leniencies = ['line_ends', 'indentation', 'whitespace', 'quotes'] as const
export type EditLeniency = (typeof leniencies)[number] | 'unseen'

interface TolerantMatch extends TextMatch {
  /** Replacement text, indented like the file. */
  fresh: string
}

/**
 * Number of characters above which a text is searched only exactly, because a model that copies so much
 * copies it exactly.
 */
const maxChars = 100_000

/**
 * Returns the matches of the strictest step that has any; undefined without one, or if `old` is blank or
 * longer than 100,000 characters. Every line of `old` must match. After the step `line_ends`, a text of
 * several lines matches only whole lines; one line may match within a line.
 */
export function findTolerant(
  text: string,
  old: string,
  fresh: string,
): { leniency: EditLeniency; matches: TolerantMatch[] } | undefined {
  if (old.trim() === '' || old.length > maxChars) return undefined
  // Tool results show hidden characters as escapes, which a model then copies, so the escapes
  // are decoded first.
  const meant = readBackHidden(old)
  if (meant !== old) {
    const matches = matchesOf(text, meant, readBackHidden(fresh), 'line_ends')
    if (matches.length > 0) return { leniency: 'unseen', matches }
  }
  for (const leniency of leniencies) {
    const matches = matchesOf(text, old, fresh, leniency)
    if (matches.length > 0) return { leniency, matches }
  }
  const matches = findAsItLooks(text, old, fresh)
  return matches.length > 0 ? { leniency: 'unseen', matches } : undefined
}

function matchesOf(text: string, old: string, fresh: string, leniency: (typeof leniencies)[number]) {
  const matches: TolerantMatch[] = []
  const pattern = patternOf(old, leniencies.indexOf(leniency))
  for (let m = pattern.exec(text); m; m = pattern.exec(text)) {
    pattern.lastIndex = m.index + 1
    const indented = leniency === 'line_ends' ? fresh : reindentLines(fresh, old, m[0])
    // A match whose lines are indented inconsistently is not used.
    if (indented !== undefined) matches.push({ start: m.index, end: m.index + m[0].length, fresh: indented })
  }
  return matches
}

/**
 * Returns matches that look the same on a screen, although letters are decomposed, full width, or mixed with
 * invisible characters. White space and quotes may differ too.
 */
function findAsItLooks(text: string, old: string, fresh: string): TolerantMatch[] {
  const folded = foldUnseen(text)
  const needle = foldUnseen(old).text
  if (needle.trim() === '') return []
  return matchesOf(folded.text, needle, fresh, 'quotes').map((match) => ({
    ...match,
    start: folded.from[match.start] as number,
    end: folded.from[match.end] as number,
  }))
}

/**
 * Returns a pattern for `old` with the tolerance at the index `level` of `leniencies`. It has no nested
 * repetition, so a search never takes exponential time.
 */
function patternOf(old: string, level: number): RegExp {
  const lines = old.replaceAll('\r\n', '\n').split('\n')
  const several = lines.length > 1
  const parts = lines.map((line, i) => {
    const first = i === 0
    const last = i === lines.length - 1
    const body = toTextPattern(level >= 1 ? line.trim() : line.trimEnd(), level)
    if (last && line === '') return ''
    const loose = several || /^\s|\s$/.test(line)
    const lead = level >= 1 && loose && body !== '' ? (first ? '(?<=^|\\n)[ \\t]*' : '[ \\t]*') : ''
    const tail = first && body === '' ? '' : loose ? '[ \\t]*' : ''
    return lead + body + tail + (last ? (loose ? '(?=\\r?\\n|$)' : '') : '\\r?\\n')
  })
  return new RegExp(parts.join(''), 'g')
}

function toTextPattern(text: string, level: number): string {
  if (level < 2) return escapePattern(text)
  const space = level >= 3 ? '[ \\t\\u00a0\\u2000-\\u200a\\u202f\\u3000]+' : '[ \\t]+'
  const words = text.split(level >= 3 ? /[ \t\u00a0\u2000-\u200a\u202f\u3000]+/ : /[ \t]+/)
  return words
    .map((word) =>
      level >= 3 ? [...word.replaceAll('...', '…')].map(toCharPattern).join('') : escapePattern(word),
    )
    .join(space)
}

function toCharPattern(char: string): string {
  if (char === '…') return '(?:…|\\.\\.\\.)'
  const group = typographicKin.find((chars) => chars.includes(char))
  return group ? `[${group.replace('-', '\\-')}]` : escapePattern(char)
}

const escapePattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/**
 * Returns `fresh`, indented like the found text `there` instead of like `old`. Returns undefined if one
 * indentation of `old` corresponds to several in the file.
 */
export function reindentLines(fresh: string, old: string, there: string): string | undefined {
  const oldLines = splitLines(old.replaceAll('\r\n', '\n')).map(withoutEol)
  const actual = splitLines(there).map(withoutEol)
  const map = new Map<string, string>()
  for (const [i, line] of oldLines.entries()) {
    const from = indentOf(line)
    const to = indentOf(actual[i] ?? '')
    if (line.trim() === '') continue
    if (map.has(from) && map.get(from) !== to) return undefined
    map.set(from, to)
  }
  if ([...map].every(([from, to]) => from === to)) return fresh
  return fresh.replace(/^[ \t]*(?=\S)/gm, (indent) => translateIndent(indent, map))
}

function translateIndent(indent: string, map: ReadonlyMap<string, string>): string {
  const translation = map.get(indent)
  if (translation !== undefined) return translation
  const keys = [...map.keys()].filter((key) => indent.startsWith(key)).sort((a, b) => b.length - a.length)
  const [base] = keys
  if (base !== undefined) return (map.get(base) ?? '') + convertIndent(indent.slice(base.length), map)
  // The indentation is smaller than that of any line of `old`, so it is reduced by as much as the least
  // indented line was.
  const [from, to] = [...map].sort((a, b) => a[0].length - b[0].length)[0] ?? ['', '']
  const less = from.length - to.length
  return less > 0 && from.startsWith(to) ? indent.slice(less) : indent
}

/**
 * Returns `rest`, the part of an indentation that is deeper than a known one, in the file's tabs or spaces.
 * Returns `rest` unchanged if `map` shows no change between tabs and spaces that fits.
 */
function convertIndent(rest: string, map: ReadonlyMap<string, string>): string {
  for (const [from, to] of map) {
    if (/^ +$/.test(from) && /^\t+$/.test(to) && /^ *$/.test(rest)) {
      const unit = from.length / to.length
      if (rest.length % unit === 0) return '\t'.repeat(rest.length / unit)
    }
    if (/^\t+$/.test(from) && /^ +$/.test(to) && /^\t*$/.test(rest)) {
      return ' '.repeat((rest.length * to.length) / from.length)
    }
  }
  return rest
}

const indentOf = (line: string) => /^[ \t]*/.exec(line)?.[0] ?? ''
