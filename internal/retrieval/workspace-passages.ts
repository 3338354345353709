// Finds passages below a folder of the workspace, and prints them for a model and for people.

import { join } from 'node:path'
import { defined } from '../base/defined.ts'
import type { Failure } from '../base/errors.ts'
import { textOfBytes } from '../base/text/byte-name.ts'
import { countNoun } from '../base/text/count-noun.ts'
import { groupDigits } from '../base/text/group-digits.ts'
import { escapeControls } from '../search/byte-name.ts'
import { listFiles } from '../search/file-list.ts'
import type { SearchMeans } from '../search/ripgrep/ripgrep.ts'
import { listRemarks, searchFailure } from '../search/search-report.ts'
import type { PrefixedTree } from '../search/search-tree.ts'
import { type FoundPassages, findPassages, type PassageSearch } from './find-passages.ts'
import type { PassageFile, PassageKind } from './passage.ts'
import type { QuotedHit } from './quotation/quote-parts.ts'

interface PassageQuery {
  tree: PrefixedTree
  question: string
  limit: number
  means: SearchMeans
  /** Told at the start and several times a second how many files are read. */
  onProgress?: PassageSearch['onProgress']
}

/** A passage as a program gets it. */
export interface PassageResult {
  path: string
  line: number
  end_line: number
  heading: string
  symbol: string
  kind: PassageKind
  score: number
  matched: string[]
  part: number
  follows?: string
  /** The lines of it that are worth quoting, and the one that says most. */
  best: QuotedHit['best']
  /** Further lines of it that say nearly as much. */
  second?: QuotedHit['second']
  text: string
  /** Where it stands in a document, whose lines nobody sees. */
  place?: string
  /** What the reader has to know of the file: a guessed encoding, or parts that are not shown. */
  notes?: readonly string[]
}

export interface PassageAnswer {
  results: PassageResult[]
  coverage: FoundPassages['coverage']
  words: string[]
  parts: readonly string[]
  mentions: FoundPassages['mentions']
  read: FoundPassages['read']
  skipped: { path: string; why: string }[]
  cut?: string
  text: string
  notes: string[]
  failure: Failure | undefined
}

/** One of many: the whole path is put together when the file is read. */
class ListedFile implements PassageFile {
  readonly path: string
  readonly #tree: PrefixedTree

  constructor(tree: PrefixedTree, own: string) {
    this.path = tree.prefix + own
    this.#tree = tree
  }

  get real(): string {
    return join(this.#tree.dir, this.path.slice(this.#tree.prefix.length))
  }
}

/** Characters of passages that one answer shows. */
const maxShownChars = 14_000

export async function searchPassages(query: PassageQuery): Promise<PassageAnswer> {
  const { tree, question, limit, means, onProgress } = query
  const files: PassageFile[] = []
  const listed = await listFiles(tree, means, (names) => {
    for (const name of names) {
      files.push(new ListedFile(tree, textOfBytes(name)))
    }
  })
  const found = await findPassages({
    files,
    question,
    limit,
    signal: means.signal,
    ...defined({ onProgress }),
  })
  const described = describePassages(found)
  return {
    ...described,
    notes: [...described.notes, ...listRemarks(listed)],
    failure: searchFailure(listed.ended),
  }
}

/** What was found as data, as text, and with remarks. */
export function describePassages(found: FoundPassages): Omit<PassageAnswer, 'failure'> {
  const shown = withinRoom(found.hits)
  const { coverage, words, parts, mentions, read, skipped, cut } = found
  return {
    results: shown.map(toResult),
    coverage,
    words,
    parts,
    mentions,
    read,
    skipped,
    ...(cut !== undefined && { cut }),
    text: shown.map(formatHit).join('\n\n'),
    notes: remarksOf(found, shown.length),
  }
}

/** The first one is shown whatever its size. */
function withinRoom(hits: readonly QuotedHit[]): QuotedHit[] {
  let left = maxShownChars
  return hits.filter(({ text }, i) => {
    left -= text.length
    return i === 0 || left >= 0
  })
}

function toResult({ path, from, to, counted: _, ...hit }: QuotedHit): PassageResult {
  return { path, line: from, end_line: to, ...hit }
}

/** Where it stands and why, then its lines with their numbers, as `read` prints them. */
function formatHit(hit: QuotedHit): string {
  const { path, from, to, place, heading, symbol, score, kind, matched, follows, part, text } = hit
  const title = heading || symbol.split(' ').slice(0, 3).join(' ')
  const held = follows === undefined ? `holds ${matched.join(', ')}` : `defines ${follows}`
  const why = place === undefined ? held : `in ${place}; ${held}`
  const quote = formatQuotes(hit)
  const head = [
    `${path}:${from}-${to}`,
    title,
    `(${kind}; score ${score}; ${why}; ${quote}; part ${part + 1})`,
  ].filter((part) => part !== '')
  const lines = text.split('\n').map((line, i) => `${from + i}\t${escapeControls(line)}`)
  return [escapeControls(head.join('  ')).replaceAll('\t', ' '), ...lines].join('\n')
}

function formatQuotes({ best, second }: QuotedHit): string {
  const lines = ({ line, end_line, key, tells = [] }: QuotedHit['best']) =>
    `${line}-${end_line} at ${key}${tells.length > 0 ? ` on ${tells.map((part) => part + 1).join('+')}` : ''}`
  const further = second === undefined ? '' : `; then ${lines(second)} with ${second.share.toFixed(2)} of it`
  return `best ${lines(best)}${further}`
}

/** Where a word stands that nothing states. */
function formatMention({ word, path, line, refuses }: FoundPassages['mentions'][number]): string {
  const why = refuses ? ', which refuses it' : ''
  return `${word} stands only in tests, data or addresses, such as ${path}:${line}${why}`
}

function sizeOf(bytes: number): string {
  return bytes < 950_000
    ? `${Math.ceil(bytes / 1000)} kB`
    : `${groupDigits(Math.round(bytes / 1_000_000))} MB`
}

/** One line for each file that has something to say. */
const notesOfFiles = (hits: readonly QuotedHit[]) => [
  ...new Set(hits.flatMap(({ path, notes }) => (notes ? [`${path}: ${notes.join('; ')}`] : []))),
]

function remarksOf(found: FoundPassages, shown: number): string[] {
  const { hits, coverage, mentions, read, skipped, cut, words, foreign } = found
  if (words.length === 0) return ['the question has no word that can be searched for']
  const { share, verdict, missing, headings, lacksNumber, open = [] } = coverage
  const lacking = missing.length > 0 ? `; no passage holds ${missing.join(', ')}` : ''
  const why = new Map<string, number>()
  for (const one of skipped) why.set(one.why, (why.get(one.why) ?? 0) + 1)
  return [
    `coverage ${share.toFixed(2)} (${verdict})${lacking}`,
    ...(lacksNumber ? ['no quotation gives the number that is asked for'] : []),
    ...open.map((part) => `no quotation for: ${part}`),
    ...mentions.map(formatMention),
    ...(verdict === 'nothing' && headings.length > 0 ? [`nearest: ${headings.join('; ')}`] : []),
    ...(shown < hits.length ? [`${hits.length - shown} more did not fit; ask more exactly`] : []),
    `read ${countNoun(read.files, 'file')}, ${sizeOf(read.bytes)}`,
    ...[...why].map(([reason, count]) => `${countNoun(count, 'file')} skipped: ${reason}`),
    ...notesOfFiles(hits),
    ...(cut === undefined ? [] : [cut]),
    ...(foreign === undefined ? [] : [foreign]),
  ].map(escapeControls)
}
