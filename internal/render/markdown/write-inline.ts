// Writer of runs of text as Markdown that renders in the same styles everywhere.

import { parseInline } from './inline.ts'
import { type InlineRun, joinRuns } from './inline-run.ts'

/**
 * Returns Markdown of one line. No text becomes markup, a link, an image or HTML. A link is written with its
 * target if `isLinked` returns true for it, otherwise only its text is written. If Markdown cannot write a
 * style at its position, such as bold letters inside a word, the whole line has no bold, italic and struck
 * text. If that is not enough, the line has no links either, and at last no code spans.
 */
export function writeInline(
  runs: readonly InlineRun[],
  isLinked: (href: string) => boolean = () => true,
): string {
  const joined = joinRuns(
    runs.map((run) => ({
      ...run,
      text: run.text.replaceAll('\n', ' '),
      link: run.link && isLinked(run.link.href) ? run.link : undefined,
    })),
  )
  // Several forms are tried, with fewer and fewer styles. The first one that parses back to the same text and
  // styles is used.
  const forms = [
    joined,
    joinRuns(joined.map(({ text, isCode, link }) => ({ text, isCode, link }))),
    joinRuns(joined.map(({ text, isCode }) => ({ text, isCode }))),
  ]
  for (const form of forms)
    for (const escapeWords of [escapeText, escapeAll]) {
      const markdown = escapeStart(writeRuns(form, escapeWords))
      if (describeRuns(parseInline(markdown)) === describeRuns(form)) return markdown
    }
  return escapeStart(escapeAll(joined.map(({ text }) => text).join('')))
}

/** Returns the Markdown of each line, where a line feed in a run starts the next one. */
export function writeInlineLines(runs: readonly InlineRun[]): string[] {
  const lines: InlineRun[][] = [[]]
  for (const run of runs)
    for (const [i, text] of run.text.split('\n').entries()) {
      if (i > 0) lines.push([])
      lines.at(-1)?.push({ ...run, text })
    }
  return lines.map((line) => writeInline(line))
}

/** Returns the text with its styles in a form that can be compared. Styles of spaces are ignored. */
const describeRuns = (runs: readonly InlineRun[]): string =>
  runs
    .flatMap(({ text, isBold, isItalic, isStruck, isCode, link }) => {
      const look =
        [isBold, isItalic, isStruck, isCode].map((is) => (is ? 1 : 0)).join('') + (link?.href ?? '')
      return [...text].map((letter) => (letter === ' ' ? ' ' : letter + look))
    })
    .join('')
    .replace(/ +/g, ' ')

type TextEscape = (text: string) => string

/** Styles from the outermost to the innermost, each with its Markdown mark. */
const looks = [
  ['isStruck', '~~'],
  ['isBold', '**'],
  ['isItalic', '*'],
] as const

function writeRuns(runs: readonly InlineRun[], escapeWords: TextEscape, depth = 0): string {
  const [name, mark] = looks[depth] ?? []
  if (name === undefined)
    return groupBy(runs, ({ link }) => link)
      .map((group) => writeLink(group, escapeWords))
      .join('')
  return groupBy(runs, (run) => Boolean(run[name]))
    .map((group) => {
      const words = writeRuns(group, escapeWords, depth + 1)
      return group[0]?.[name] ? wrapInMark(words, mark) : words
    })
    .join('')
}

/** Returns groups of neighboring runs that have the same key. */
function groupBy(runs: readonly InlineRun[], keyOf: (run: InlineRun) => unknown): InlineRun[][] {
  const groups: InlineRun[][] = []
  for (const [i, run] of runs.entries()) {
    const last = groups.at(-1)
    if (last && keyOf(runs[i - 1] as InlineRun) === keyOf(run)) last.push(run)
    else groups.push([run])
  }
  return groups
}

function writeLink(runs: readonly InlineRun[], escapeWords: TextEscape): string {
  const words = runs.map(({ text, isCode }) => (isCode ? writeCode(text) : escapeWords(text))).join('')
  const { link } = runs[0] as InlineRun
  return link ? `[${words}](<${link.href.replace(/[<>\\\n]/g, encodeURIComponent)}>)` : words
}

/** Returns the text between marks. Spaces at both ends stay outside, because marks must touch the text. */
function wrapInMark(text: string, mark: string): string {
  const [, lead = '', body = '', end = ''] = /^(\s*)(.*?)(\s*)$/.exec(text) ?? []
  return body === '' ? text : lead + mark + body + mark + end
}

/** Returns a code span around text that may contain backticks. */
export function writeCode(text: string): string {
  const one = text.replace(/\s+/g, ' ')
  const longest = Math.max(0, ...[...one.matchAll(/`+/g)].map(([run]) => run.length))
  const ticks = '`'.repeat(longest + 1)
  const isBare = longest === 0 && !(one.startsWith(' ') && one.endsWith(' ') && one.trim() !== '')
  return isBare ? `\`${one}\`` : `${ticks} ${one} ${ticks}`
}

/** Escapes the characters that are markup at their position. */
export const escapeText = (text: string): string =>
  text
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '\\\\')
    .replace(/`/g, '\\`')
    .replace(/\*/g, '\\*')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/~(?=~|\S)|(?<=\S)~/g, '\\~')
    .replace(/!\[/g, '!\\[')
    .replace(/\](?=[([:])/g, ']\\')
    .replace(/<(?=[a-z/!?])/gi, '\\<')
    .replace(/&(?=#?\w+;)/g, '\\&')

/** Escapes every character that can be markup. */
const escapeAll: TextEscape = (text) => text.replace(/[!-/:-@[-`{-~]/g, '\\$&')

/** Escapes characters at the start of a line that Markdown reads as a heading, list, quote, rule or table. */
const escapeStart = (text: string): string =>
  text
    .replace(/^(?:#{1,6}(?=\s|$)|[-+](?=\s|$)|>|=+$|-{2,}$|\|)/, '\\$&')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
