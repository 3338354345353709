// Passage search below a directory of the workspace, and its output for models and users.

import { join } from 'node:path'
import type { Failure } from '../base/errors.ts'
import { textOfBytes } from '../base/text/byte-name.ts'
import { countNoun, groupDigits } from '../base/text/count-noun.ts'
import { escapeControls } from '../base/text/invisible-chars.ts'
import { listFiles } from '../search/file-list.ts'
import type { SearchMeans } from '../search/ripgrep/ripgrep.ts'
import { listRemarks, searchFailure } from '../search/search-report.ts'
import type { PrefixedTree } from '../search/search-tree.ts'
import { describeAbsent } from '../text-analysis/absent-words.ts'
import { type FoundPassages, findPassages, type PassageSearch } from './find-passages.ts'
import type { PassageFile, PassageKind } from './passage.ts'
import type { QuotedHit } from './quotation/quote.ts'
import { numberLines } from './quotation/quote-lines.ts'
import type { QuotableLine } from './quotation/quote-units.ts'

interface PassageQuery {
  tree: PrefixedTree
  question: string
  limit: number
  means: SearchMeans
  /** Largest number of threads that read files. Default: one for each processor. */
  readers?: number | undefined
  /** Called at the start and several times a second with the number of files read so far. */
  onProgress?: PassageSearch['onProgress']
  /** Who reads the text. A text for a model contains no scores. */
  reader: PassageReader
}

type PassageReader = 'model' | 'caller'

/** A found part of a file in the JSON output. */
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
  /**
   * The most informative lines of the passage, which an answer may quote, and among them the line with
   * the most information.
   */
  best: QuotedHit['best']
  /** Further lines of the passage that are nearly as informative as the best ones. */
  second?: QuotedHit['second']
  text: string
  /** Lines outside of the passage that belong to its definitions, such as a signature. */
  frame?: readonly QuotableLine[]
  /**
   * Line numbers of the passage and of the lines in `frame` as ranges, such as `4-5,20-31`, or the position
   * in a document such as a PDF.
   */
  locator: string
  /** Position in a document, because a user cannot see the line numbers of its extracted text. */
  place?: string
  /** Notices about the file: its encoding is a guess, or parts of it are not shown. */
  notes?: readonly string[]
}

/** A notice about the whole search. `about` is the kind of the notice. */
interface PassageRemark {
  about:
    | 'words'
    | 'coverage'
    | 'lacking'
    | 'mention'
    | 'nearest'
    | 'room'
    | 'read'
    | 'skipped'
    | 'file'
    | 'language'
  text: string
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
  remarks: PassageRemark[]
  text: string
  failure: Failure | undefined
}

/** A file in a long list. Its full path is built only when the file is read. */
class ListedFile implements PassageFile {
  readonly path: string
  readonly #tree: PrefixedTree

  constructor(tree: PrefixedTree, relativePath: string) {
    this.path = tree.prefix + relativePath
    this.#tree = tree
  }

  get real(): string {
    return join(this.#tree.dir, this.path.slice(this.#tree.prefix.length))
  }
}

/**
 * Largest total number of characters of the passages in one answer, with the lines in `frame`. The first
 * passage is shown even if it is longer.
 */
const maxShownChars = 14_000

export async function searchPassages(query: PassageQuery): Promise<PassageAnswer> {
  const { tree, question, limit, means, onProgress, reader, readers } = query
  const files: PassageFile[] = []
  const listed = await listFiles(tree, means, (names) => {
    for (const name of names) {
      files.push(new ListedFile(tree, textOfBytes(name)))
    }
  })
  const search = { files, question, limit, signal: means.signal, onProgress, readers }
  const described = await searchFiles(search, reader)
  const unread = listRemarks(listed).map((text): PassageRemark => ({ about: 'skipped', text }))
  return {
    ...described,
    remarks: [...described.remarks, ...unread],
    failure: searchFailure(listed.ended),
  }
}

/** Searches the files of `search`. The passages that fit into one answer come back as data and as text. */
export async function searchFiles(
  search: PassageSearch,
  reader: PassageReader,
): Promise<Omit<PassageAnswer, 'failure'>> {
  return describePassages(await findPassages(search), reader)
}

/** Returns the hits that fit into one answer as data and as text for `reader`, with notices. */
export function describePassages(
  foundPassages: FoundPassages,
  reader: PassageReader,
): Omit<PassageAnswer, 'failure'> {
  const shownHits = withinRoom(foundPassages.hits)
  const { coverage, words, parts, mentions, read, skipped, cut: cutNotice } = foundPassages
  return {
    results: shownHits.map(toResult),
    coverage,
    words,
    parts,
    mentions,
    read,
    skipped,
    cut: cutNotice,
    remarks: remarksOf(foundPassages, shownHits.length),
    text: shownHits.map((hit) => formatHit(hit, reader)).join('\n\n'),
  }
}

/**
 * Returns the first hits, with at most `maxShownChars` characters in total. The first hit is always included.
 */
function withinRoom(hits: readonly QuotedHit[]): QuotedHit[] {
  let remainingChars = maxShownChars
  return hits.filter(({ text, frame = [] }, i) => {
    remainingChars -= text.length + frame.reduce((sum, line) => sum + line.text.length + 1, 0)
    return i === 0 || remainingChars >= 0
  })
}

function toResult({ path, from, to, counted: _, units: _units, ...hit }: QuotedHit): PassageResult {
  return {
    path,
    line: from,
    end_line: to,
    locator: hit.place ?? formatLineRanges(hit.frame ?? [], from, to),
    ...hit,
  }
}

/** Returns the numbers of the lines of a passage and of the lines around it as ranges. */
function formatLineRanges(frame: readonly QuotableLine[], from: number, to: number): string {
  const ranges: [number, number][] = []
  const framed = frame.map(({ line }): [number, number] => [line, line])
  const passageRange: [number, number] = [from, to]
  for (const [first, last] of [...framed, passageRange].sort((a, b) => a[0] - b[0])) {
    const before = ranges.at(-1)
    if (before && first === before[1] + 1) before[1] = last
    else ranges.push([first, last])
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',')
}

/** Formats a passage: its position and title, then its lines with numbers as the tool `read` prints them. */
function formatHit(hit: QuotedHit, reader: PassageReader): string {
  const { path, from, to, heading, symbol } = hit
  const title = heading || symbol.split(' ').slice(0, 3).join(' ')
  const why = reader === 'model' ? describePlace(hit) : describeScore(hit)
  const head = [`${path}:${from}-${to}`, title, why].filter((part) => part !== '')
  const lines = numberLines(hit).map(({ line, text }) => `${line}\t${escapeControls(text)}`)
  return [escapeControls(head.join('  ')).replaceAll('\t', ' '), ...lines].join('\n')
}

/**
 * Returns the position of a passage in its document in parentheses. If the passage was added because it
 * defines a name in another passage, the text also has that name. Empty if the passage has neither.
 */
function describePlace({ place, follows }: QuotedHit): string {
  const parts = [
    ...(place === undefined ? [] : [`in ${place}`]),
    ...(follows === undefined ? [] : [`defines ${follows}`]),
  ]
  return parts.length > 0 ? `(${parts.join('; ')})` : ''
}

function describeScore(hit: QuotedHit): string {
  const { place, score, kind, matched, follows, part } = hit
  const match = follows === undefined ? `contains ${matched.join(', ')}` : `defines ${follows}`
  const why = place === undefined ? match : `in ${place}; ${match}`
  return `(${kind}; score ${score}; ${why}; ${formatQuotes(hit)}; part ${part + 1})`
}

function formatQuotes({ best, second }: QuotedHit): string {
  const lines = ({ line, end_line, key, tells = [] }: QuotedHit['best']) =>
    `${line}-${end_line} at ${key}${tells.length > 0 ? ` on ${tells.map((part) => part + 1).join('+')}` : ''}`
  const further = second === undefined ? '' : `; then ${lines(second)} with ${second.share.toFixed(2)} of it`
  return `best ${lines(best)}${further}`
}

/** Returns a line about a word that occurs only in tests, data or URLs, with one such place. */
function formatMention({ word, path, line, refuses }: FoundPassages['mentions'][number]): string {
  const why = refuses ? ', which refuses it' : ''
  return `${word} occurs only in tests, data or URLs, such as ${path}:${line}${why}`
}

function sizeOf(bytes: number): string {
  return bytes < 950_000
    ? `${Math.ceil(bytes / 1000)} kB`
    : `${groupDigits(Math.round(bytes / 1_000_000))} MB`
}

/** Returns one line for each file with notices. */
const notesOfFiles = (hits: readonly QuotedHit[]) => [
  ...new Set(hits.flatMap(({ path, notes }) => (notes ? [`${path}: ${notes.join('; ')}`] : []))),
]

function remarksOf(foundPassages: FoundPassages, shownCount: number): PassageRemark[] {
  const { hits, coverage, mentions, read, skipped, cut: cutNotice, words, foreign } = foundPassages
  if (words.length === 0)
    return [{ about: 'words', text: 'the question has no word that can be searched for' }]
  const { share, verdict, missing, headings, gaps = [] } = coverage
  const lacking = missing.length > 0 ? `; ${describeAbsent(missing)}` : ''
  const why = new Map<string, number>()
  for (const one of skipped) why.set(one.why, (why.get(one.why) ?? 0) + 1)
  const omittedCount = hits.length - shownCount
  const remarks: [PassageRemark['about'], string[]][] = [
    ['coverage', [`coverage ${share.toFixed(2)} (${verdict})${lacking}`]],
    ['lacking', gaps],
    ['mention', mentions.map(formatMention)],
    ['nearest', verdict === 'nothing' && headings.length > 0 ? [`nearest: ${headings.join('; ')}`] : []],
    ['room', omittedCount > 0 ? [`${omittedCount} more did not fit; ask more exactly`] : []],
    ['read', [`read ${countNoun(read.files, 'file')}, ${sizeOf(read.bytes)}`]],
    ['skipped', [...why].map(([reason, count]) => `${countNoun(count, 'file')} skipped: ${reason}`)],
    ['file', notesOfFiles(hits)],
    ['skipped', cutNotice === undefined ? [] : [cutNotice]],
    ['language', foreign === undefined ? [] : [foreign]],
  ]
  return remarks.flatMap(([about, texts]) => texts.map((text) => ({ about, text: escapeControls(text) })))
}

/**
 * Returns the notices for `reader`. A model gets the missing words, but neither the coverage of the question
 * nor the number of files that were read.
 */
export function remarksFor(
  answer: Pick<PassageAnswer, 'remarks' | 'coverage'>,
  reader: PassageReader,
): string[] {
  if (reader === 'caller') return answer.remarks.map(({ text }) => text)
  const { missing } = answer.coverage
  const lacking = missing.length > 0 ? [escapeControls(describeAbsent(missing))] : []
  const rest = answer.remarks.filter(({ about }) => about !== 'coverage' && about !== 'read')
  return [...lacking, ...rest.map(({ text }) => text)]
}
