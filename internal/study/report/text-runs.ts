// Text of a report as runs, which are pieces of text in one style, with citations, for all formats.

import { type InlineMarkup, parseInline } from '../../render/markdown/inline.ts'
import { type InlineRun, isSameLook, joinRuns } from '../../render/markdown/inline-run.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { ReportDocument } from './report-document.ts'
import { findSourceNumbers, markOf, type SourceQuote } from './report-layout.ts'

type CitedNumber = ReturnType<typeof findSourceNumbers>[number]

/** A piece of a report's text in one style. Its link was checked, so a format may use it. */
export interface ReportRun extends InlineRun {
  /**
   * Set for a citation: the sources that it cites. `text` is the citation as it is shown, such as `[1, 2]`.
   */
  cited?: readonly CitedNumber[]
  /** True for the mark `[uncited]`. */
  isDoubt?: boolean
}

interface WordsOptions {
  /** Markup in which the text is written. Default: Markdown. */
  markup?: InlineMarkup | undefined
  /** Words that are shown in bold. */
  keys?: readonly string[] | undefined
}

/**
 * Returns a text as runs. `[C1.1]` becomes a citation. Links to images, and links that lead neither to the
 * web nor to a mail address, become plain text.
 */
export function readWords(document: ReportDocument, words: string, options: WordsOptions = {}): ReportRun[] {
  const runs = parseInline(foldWords(words), options.markup)
  const emphasizedRuns = emphasizeKeys(checkLinks(runs), options)
  return emphasizedRuns.flatMap((run) => splitMarks(document, run))
}

/** Returns the runs of a quote in the list of sources, on one line. */
export function readQuote({ text, markup }: SourceQuote): ReportRun[] {
  const words = foldSpaces(text).trim()
  if (markup === undefined) return [{ text: words }]
  const runs = checkLinks(parseInline(foldWords(text).trim(), markup))
  return runs.map((run) => ({ ...run, text: run.text.replaceAll('\n', ' ') }))
}

/** Returns the text of the runs without markup and links, for headings and for the quotes of sources. */
export const plainWords = (runs: readonly ReportRun[]): string => runs.map(({ text }) => text).join('')

/**
 * Returns text with runs of spaces folded into one space, because columns that are made by spaces lose their
 * meaning in a wrapped line.
 */
export const foldSpaces = (words: string): string => sanitizeText(words).replace(/ {2,}/g, ' ')

/**
 * Returns markup like `foldSpaces`, but keeps line ends and the spaces before them, because two spaces before
 * a line end are a hard line break in Markdown.
 */
const foldWords = (words: string): string =>
  sanitizeText(words, { keepLines: true }).replace(/ {2,}(?! *\n)/g, ' ')

const checkLinks = (runs: readonly InlineRun[]): InlineRun[] => showTargets(joinRuns(runs.map(checkLink)))

/**
 * Returns the run. A link to an image is removed, because a report loads nothing, as is a link that leads
 * neither to the web nor to a mail address.
 */
function checkLink(run: InlineRun): InlineRun {
  const { link } = run
  if (!link || (!link.isImage && isWebLink(link.href))) return run
  return { ...run, link: undefined }
}

const isWebLink = (href: string) => /^(?:https?:\/\/|mailto:)[^\s<>"'\\\0-\x1f]+$/i.test(href)

/**
 * Returns the runs. If the text of a link looks like another URL than its target, the target is shown
 * instead, because such a text misleads.
 */
function showTargets(runs: readonly InlineRun[]): InlineRun[] {
  return runs.map((run) => {
    const { link } = run
    if (!link || !/^\s*(?:[a-z]+:\/\/|www\.)/i.test(run.text)) return run
    const isShown = [link.href, link.href.replace(/^https?:\/\//, '')].includes(run.text.trim())
    return isShown ? run : { ...run, text: link.href }
  })
}

/** Makes the first occurrence of each key bold, even if it extends over several runs. */
function emphasizeKeys(runs: InlineRun[], { keys = [], markup }: WordsOptions): InlineRun[] {
  let out = runs
  for (const key of keys) {
    const words = parseInline(foldWords(key), markup)
      .map(({ text }) => text)
      .join('')
      .trim()
    const at =
      words === ''
        ? -1
        : out
            .map(({ text }) => text)
            .join('')
            .indexOf(words)
    if (at >= 0) out = emboldenRange(out, at, at + words.length)
  }
  return out
}

function emboldenRange(runs: readonly InlineRun[], from: number, to: number): InlineRun[] {
  let at = 0
  const parts = runs.flatMap((run) => {
    const [start, end] = [from, to].map((edge) => Math.min(run.text.length, Math.max(0, edge - at)))
    at += run.text.length
    return [
      { ...run, text: run.text.slice(0, start) },
      { ...run, text: run.text.slice(start, end), isBold: true },
      { ...run, text: run.text.slice(end) },
    ]
  })
  return joinRuns(parts)
}

const marks = /\[\s*(C\d+\.\d+(?:\s*[,;]\s*C\d+\.\d+)*)\s*\]|\[uncited\]/g

/** Puts each citation and each mark `[uncited]` into a separate run. */
function splitMarks(document: ReportDocument, run: InlineRun): ReportRun[] {
  const runs: ReportRun[] = []
  let last = 0
  for (const match of run.text.matchAll(marks)) {
    runs.push({ ...run, text: run.text.slice(last, match.index) })
    const ids = match[1]?.split(/[,;]/).map((id) => id.trim())
    runs.push(ids ? citeClaims(document, ids) : { ...run, text: match[0], isDoubt: true })
    last = match.index + match[0].length
  }
  runs.push({ ...run, text: run.text.slice(last) })
  return joinRuns(runs, (a, b) => isSameLook(a, b) && !a.cited && !b.cited && a.isDoubt === b.isDoubt)
}

function citeClaims(document: ReportDocument, ids: readonly string[]): ReportRun {
  const cited = findSourceNumbers(document, ids)
  const sourceMarks = cited.map(({ n, state }) => `${n}${markOf(state)}`)
  return { text: `[${sourceMarks.join(', ') || 'no source'}]`, cited }
}
