// Searches for files, lines and symbols. Each returns lines for the user and the same results as
// objects, best first.

import { type ByteName, bytesOfText, textOfBytes } from '../base/text/byte-name.ts'
import { countNoun } from '../base/text/count-noun.ts'
import { escapeControls, shownName } from '../base/text/invisible-chars.ts'
import { listFiles } from './file-list.ts'
import { collectBest, createScorer } from './fuzzy-score.ts'
import { tellingWords } from './query-words.ts'
import { rankText } from './relevance.ts'
import type { SearchEnd, SearchMeans } from './ripgrep/ripgrep.ts'
import { listRemarks } from './search-report.ts'
import type { PrefixedTree } from './search-tree.ts'
import { type AskSymbolServers, searchSymbols } from './symbols/symbol-search.ts'

export interface FinderQuery {
  tree: PrefixedTree
  query: string
  limit: number
  caseSensitive: boolean
  means: SearchMeans
}

interface FinderResult {
  path: string
  line?: number
  column?: number
  text?: string
  name?: string
  kind?: string
  scope?: string
}

export interface FinderAnswer {
  engine: string
  results: FinderResult[]
  /** Number of matches that were found; `results` may contain fewer because of the limit. */
  total: number
  /** One line per result. */
  lines: string[]
  notes: string[]
  ended: SearchEnd
  /** Words that were searched because the whole query had no match. */
  words?: string[]
}

/**
 * Returns at most `limit` files whose paths match the query, best first; without a query, the first files
 * in byte order.
 */
export async function findFiles({
  tree,
  query,
  limit,
  caseSensitive,
  means,
}: FinderQuery): Promise<FinderAnswer> {
  const score = createScorer(query, caseSensitive)
  const bestNames = collectBest<ByteName>(limit, (name) => name)
  let total = 0
  const listing = await listFiles(tree, means, (names) => {
    for (const name of names) {
      const points = query.trim() === '' ? 0 : score(textOfBytes(name))
      if (points === undefined) continue
      total++
      bestNames.add(name, points)
    }
  })
  const names = bestNames.ranked().map((one) => bytesOfText(tree.prefix) + one.item)
  return {
    engine: listing.engine,
    results: names.map((name) => ({ path: textOfBytes(name) })),
    total,
    lines: names.map(shownName),
    notes: [
      ...describeMore(names.length, total, 'file', 'files', query.trim() === '' ? 'in order' : 'the best'),
      ...listRemarks(listing),
    ],
    ended: listing.ended,
  }
}

/**
 * Returns at most `limit` lines with the whole query. If no line has it, returns lines with any of its words,
 * without common and very short ones, unless fewer than two words are left.
 */
export async function findText(search: FinderQuery): Promise<FinderAnswer> {
  const whole = await findRankedText(search, [search.query])
  const words = tellingWords(search.query)
  if (whole.results.length > 0 || whole.ended || words.length < 2) return whole
  const scattered = await findWords(search, words)
  const note = 'no line holds the whole query; files with most of its words come first'
  return scattered.results.length > 0 ? { ...scattered, notes: [note, ...scattered.notes] } : whole
}

/**
 * Returns at most `limit` lines with any of the words, in upper or lower case. Files with most of the
 * words come first.
 */
export async function findWords(search: FinderQuery, words: readonly string[]): Promise<FinderAnswer> {
  return { ...(await findRankedText({ ...search, caseSensitive: false }, words)), words: [...words] }
}

async function findRankedText(
  { tree, limit, caseSensitive, means }: FinderQuery,
  terms: readonly string[],
): Promise<FinderAnswer> {
  const {
    files,
    engine,
    total,
    found: searchOutcome,
  } = await rankText(tree, { terms, caseSensitive, limit }, means)
  const results: FinderResult[] = []
  const lines: string[] = []
  for (const { name, lines: hits } of files) {
    const whole = bytesOfText(tree.prefix) + name
    for (const { line, column, text } of hits) {
      results.push({ path: textOfBytes(whole), line, column, text })
      lines.push(`${shownName(whole)}:${line}:${escapeControls(text)}`)
    }
  }
  const notes = listRemarks(searchOutcome, tree.prefix)
  if (total.lines > results.length) {
    const all = `${countNoun(total.lines, 'matching line')} in ` + `${countNoun(total.files, 'file')}`
    notes.unshift(`${results.length} of ${all}, best files first; raise limit, or use grep for all of them`)
  }
  return { engine, results, total: total.lines, lines, notes, ended: searchOutcome.ended }
}

/** Returns at most `limit` definitions of the name, or of names that contain it. */
export async function findSymbols(
  { tree, query, limit, caseSensitive, means }: FinderQuery,
  ask?: AskSymbolServers,
): Promise<FinderAnswer> {
  const {
    engine,
    symbols,
    total,
    left: skippedFiles,
    found: searchResult,
    ...rest
  } = await searchSymbols(tree, { name: query, caseSensitive, limit, ask }, means)
  const notes = [
    ...describeMore(symbols.length, total, 'definition', 'definitions'),
    ...rest.notes,
    ...listRemarks(searchResult),
  ]
  if (skippedFiles > 0)
    notes.push(
      `${countNoun(skippedFiles, 'file that mentions', 'files that mention')} the name were not looked into`,
    )
  const results: FinderResult[] = []
  const lines: string[] = []
  for (const { name, kind, file, line, text, scope } of symbols) {
    const whole = bytesOfText(tree.prefix) + file
    const qualified = scope === undefined ? name : `${scope}.${name}`
    results.push({ path: textOfBytes(whole), line, name, kind, text: text.trim(), scope })
    lines.push(`${shownName(whole)}:${line}: ${escapeControls(`${kind} ${qualified}: ${text.trim()}`)}`)
  }
  return { engine, results, total, lines, notes, ended: searchResult.ended }
}

function describeMore(
  shownCount: number,
  total: number,
  one: string,
  many: string,
  which = 'the best',
): string[] {
  return total > shownCount
    ? [`${shownCount} of ${countNoun(total, one, many)}, ${which}; raise limit or narrow the query`]
    : []
}
