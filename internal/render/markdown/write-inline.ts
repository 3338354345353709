// Writes runs of text as Markdown that shows exactly these looks wherever it is rendered.

import { parseInline } from './inline.ts'
import { type InlineRun, joinRuns } from './inline-run.ts'

/**
 * Returns Markdown of one line. Text stays text: nothing in it becomes markup, a link, an image or HTML. A
 * link is written with its target if `isLinked` accepts it, else its text alone. Looks that Markdown cannot
 * write where they are, such as bold letters inside a word, are left out.
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
  // the first is written that is read back as it was
  const forms = [
    joined,
    joinRuns(joined.map(({ text, isCode, link }) => ({ text, isCode, link }))),
    joinRuns(joined.map(({ text, isCode }) => ({ text, isCode }))),
  ]
  for (const form of forms)
    for (const escapeWords of [escapeText, escapeAll]) {
      const markdown = escapeStart(writeRuns(form, escapeWords))
      if (describe(parseInline(markdown)) === describe(form)) return markdown
    }
  return escapeStart(escapeAll(joined.map(({ text }) => text).join('')))
}

/** The text with its looks, in a form that can be compared; how spaces look is not seen. */
const describe = (runs: readonly InlineRun[]): string =>
  runs
    .flatMap(({ text, isBold, isItalic, isStruck, isCode, link }) => {
      const look =
        [isBold, isItalic, isStruck, isCode].map((is) => (is ? 1 : 0)).join('') + (link?.href ?? '')
      return [...text].map((letter) => (letter === ' ' ? ' ' : letter + look))
    })
    .join('')
    .replace(/ +/g, ' ')

type TextEscape = (text: string) => string

/** Looks from the outside in, each with its mark. */
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
      return group[0]?.[name] ? wrap(words, mark) : words
    })
    .join('')
}

/** Returns neighbors with equal keys in groups. */
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

/** Marks have to touch their words: spaces at both ends stay outside. */
function wrap(text: string, mark: string): string {
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

/** Takes the meaning from characters that are markup where they are; the others stay as they are. */
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

/** Takes the meaning from every character that can be markup. */
const escapeAll: TextEscape = (text) => text.replace(/[!-/:-@[-`{-~]/g, '\\$&')

/** Escapes a start of a line that Markdown reads as a heading, list, quote or rule. */
const escapeStart = (text: string): string =>
  text
    .replace(/^(?:#{1,6}(?=\s|$)|[-+](?=\s|$)|>|=+$|-{2,}$|\|)/, '\\$&')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
