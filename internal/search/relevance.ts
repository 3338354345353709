// Ranking of files for a query. A file ranks high if it contains many of the words, close together, and if
// its path contains them.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type ByteName, textOfBytes } from '../base/text/byte-name.ts'
import { isPassable } from '../base/text/invisible-chars.ts'
import { collectBest } from './fuzzy-score.ts'
import type { FileHits } from './hit-buffer.ts'
import { countLinesOfFiles, meaningArgs } from './ripgrep/line-counts.ts'
import { runRipgrep, type SearchMeans } from './ripgrep/ripgrep.ts'
import { createHitReader } from './ripgrep/ripgrep-output.ts'
import { countGuarded, createAdmission, type SearchTree } from './search-tree.ts'
import { readDefinition } from './symbols/definitions.ts'
import type { TextQuery, TextSearchResult } from './text-query.ts'
import { searchText, textArgs } from './text-search.ts'

/** Numbers of matches, matching lines and different words of the query in a file. */
interface FileCount {
  name: ByteName
  /**
   * Number of matches in at most about 100 matching lines. Matches that are close together in a line may
   * count as one.
   */
  matches: number
  lines: number
  words: number
}

interface RankedText {
  /** Files, best first, each with its lines in order. */
  files: FileHits[]
  engine: TextSearchResult['engine']
  /** Number of files with a match, and of matching lines in them. */
  total: { files: number; lines: number }
  found: Pick<TextSearchResult, 'skipped' | 'unreadable' | 'ended' | 'hidden'>
}

/** Largest number of matching lines per file that count for the score; further ones are ignored. */
const countedPerFile = 100
/** Length in characters from which a line is too long to count as a definition. */
const maxDefinition = 300
/**
 * Smallest number of the best files whose lines are read, if so many match. A definition in one of them may
 * make it the best file.
 */
const minRead = 30
/**
 * Smallest number of lines that a file with enough lines shows, even if there are many files. Once the limit
 * on all lines is reached, further files show no line.
 */
const minShare = 3
/**
 * Largest number of the best files of a first ranking whose sizes are read for the second ranking. Other
 * files are dropped.
 */
const measured = 200

/**
 * Ranks files: a first pass over the tree counts matches, and a second one reads the lines of the best files.
 * At most `limit` lines are returned and distributed among these files, so that one file does not take all of
 * them. `terms` are literal texts, and a line with any of them matches. Throws like searchText.
 */
export async function rankText(
  tree: SearchTree,
  query: { terms: readonly string[]; caseSensitive: boolean; limit: number },
  means: SearchMeans,
): Promise<RankedText> {
  const textQuery: TextQuery = {
    patterns: query.terms,
    regex: false,
    word: false,
    caseSensitive: query.caseSensitive,
    max: countedPerFile,
    context: 0,
    room: 4 * 1024 * 1024,
    sparse: true,
  }
  const counted = await countFileMatches(tree, textQuery, means)
  const first = collectBest<FileCount>(measured, (one) => one.name)
  for (const one of counted.counts) first.add(one, scoreFile(one, query.terms, undefined))
  const second = collectBest<FileCount>(Math.max(minRead, query.limit), (one) => one.name)
  await Promise.all(
    first.ranked().map(async ({ item }) => {
      const info = await stat(join(tree.dir, textOfBytes(item.name))).catch(() => undefined)
      second.add(item, scoreFile(item, query.terms, info?.size))
    }),
  )
  const bestFiles = second.ranked().filter((one) => isPassable(one.item.name))
  const named = { ...tree, files: bestFiles.map((one) => textOfBytes(one.item.name)) }
  const reading = { ...textQuery, max: Math.max(countedPerFile, query.limit) }
  const read = bestFiles.length > 0 ? await searchText(named, reading, means) : undefined
  const byName = new Map((read?.files ?? []).map((hits) => [hits.name, hits]))
  const third = collectBest<FileHits>(query.limit, (hits) => hits.name)
  for (const { item, score } of bestFiles) {
    const hits = byName.get(item.name)
    if (hits) third.add(hits, score + (definesTerm(hits, query.terms) ? definitionBonus : 0))
  }
  const order = third.ranked().map((one) => one.item)
  const files = shareLines(order, query.terms, query.limit)
  const { counts, engine, skipped, unreadable, hidden } = counted
  const searchOutcome = { skipped, unreadable, hidden, ended: counted.ended ?? read?.ended }
  const lines = counts.reduce((sum, one) => sum + one.lines, 0)
  return { files, engine, total: { files: counts.length, lines }, found: searchOutcome }
}

/**
 * Distributes `limit` lines among the files, and leaves out files that get no line. Lines that a file does
 * not need are given to the first files that need more.
 */
function shareLines(ranked: readonly FileHits[], terms: readonly string[], limit: number): FileHits[] {
  const parts = shareRoom(
    ranked.map(({ lines }) => lines.length),
    limit,
    minShare,
  )
  const files: FileHits[] = []
  for (const [i, hits] of ranked.entries()) {
    const part = parts[i] as number
    if (part > 0) files.push({ ...hits, lines: pickTellingLines(hits, terms, part) })
  }
  return files
}

/**
 * Divides `room` among `wishes` in order: each gets an equal part, at least `least`, but not more than its
 * wish or the rest. The first ones then get what is left.
 */
export function shareRoom(wishes: readonly number[], room: number, least: number): number[] {
  let remainingRoom = room
  const parts = wishes.map((wish, i) => {
    const part = Math.min(
      remainingRoom,
      Math.max(least, Math.ceil(remainingRoom / (wishes.length - i))),
      wish,
    )
    remainingRoom -= part
    return part
  })
  return parts.map((part, i) => {
    const more = Math.min(remainingRoom, (wishes[i] as number) - part)
    remainingRoom -= more
    return part + more
  })
}

interface CountResult {
  counts: FileCount[]
  engine: TextSearchResult['engine']
  skipped: number
  unreadable: number
  hidden?: ByteName[]
  ended: TextSearchResult['ended']
}

function termPattern({ patterns, caseSensitive }: TextQuery): RegExp {
  const escaped = patterns.map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(escaped.join('|'), caseSensitive ? 'g' : 'gi')
}

async function countFileMatches(
  tree: SearchTree,
  textQuery: TextQuery,
  means: SearchMeans,
): Promise<CountResult> {
  const counts: FileCount[] = []
  const isTerm = termPattern(textQuery)
  const add = ({ name, matches, lines }: FileHits) => {
    // A long line was cut around its first match and may contain further ones.
    const termMatches = lines.flatMap(({ text }) => text.match(isTerm) ?? [text])
    const words = new Set(termMatches.map((text) => text.toLowerCase())).size
    const all = Math.min(matches - lines.length + termMatches.length, Math.max(matches, countedPerFile))
    counts.push({ name, matches: all, lines: new Set(lines.map(({ line }) => line)).size, words })
  }
  const sink = { beyond: () => false, drop: () => undefined, add }
  const limits = { max: countedPerFile, context: 0, room: 64 * 1024 }
  const hidden: ByteName[] = []
  const read = createHitReader(limits, createAdmission(tree, hidden), sink)
  const args = await textArgs(tree, { ...textQuery, max: countedPerFile }, ['--only-matching'])
  const ran = await runRipgrep(args, tree.dir, means, (chunk) => read.take(chunk))
  if (ran) {
    read.end()
    // Reading stopped early in files with many matches, so their matching lines are counted again.
    const many = counts.filter(({ matches }) => matches >= countedPerFile)
    const exact = await countLinesOfFiles(
      many.map(({ name }) => name),
      tree.dir,
      meaningArgs(textQuery),
      means,
    )
    for (const one of many) one.lines = exact.get(one.name) ?? one.lines
    return {
      counts,
      engine: 'ripgrep',
      skipped: await countGuarded(tree, ran.skipped),
      unreadable: ran.unreadable,
      hidden,
      ended: ran.ended,
    }
  }
  // grep prints whole lines, so the words are searched in these lines.
  const searchResult = await searchText(
    tree,
    { ...textQuery, max: countedPerFile, room: 16 * 1024 * 1024 },
    means,
  )
  for (const { name, matches, lines } of searchResult.files) {
    const text = lines.map((line) => line.text.toLowerCase()).join('\n')
    const words = textQuery.patterns.filter((word) => text.includes(word.toLowerCase())).length
    counts.push({ name, matches: Math.min(matches, countedPerFile), lines: matches, words })
  }
  return { counts, ...searchResult }
}

const aside =
  /(?:^|[/._-])(?:tests?|spec|mocks?|fixtures?|snapshots?|vendor|third_party|generated|dist)(?:[/._-]|$)/i
const machine = /(?:\.lock|\.min\.\w+|\.map|\.svg|lock\.json|\.snap|go\.sum)$/i

/**
 * Returns the score of a file from the number of different words in it, the number and density of matches,
 * and words in its path. Tests, copied or generated code and deep paths score lower. Without `bytes`, density
 * does not count.
 */
export function scoreFile(one: FileCount, terms: readonly string[], bytes: number | undefined): number {
  const path = one.name.toLowerCase()
  const base = path.slice(path.lastIndexOf('/') + 1)
  let score = 12 * (one.words - 1) + 3 * Math.log2(1 + one.matches)
  // Density is the number of matches per KiB, which is about a screen of text. One or more matches per KiB
  // give all points.
  if (bytes !== undefined) score += 6 * Math.min(1, one.matches / Math.max(1, bytes / 1024))
  for (const term of terms.flatMap((text) => text.toLowerCase().split(/\W+/))) {
    if (term.length < 3) continue
    if (base.includes(term)) score += 6
    else if (path.includes(term)) score += 3
  }
  if (aside.test(path)) score -= 5
  if (machine.test(path)) score -= 25
  return score - path.split('/').length / 4
}

const definitionBonus = 12

/**
 * Returns whether a line of fewer than 300 characters defines a name that equals one of the terms if
 * case is ignored.
 */
function definesTerm(hits: FileHits, terms: readonly string[]): boolean {
  const path = textOfBytes(hits.name)
  const foldedTerms = new Set(terms.map((term) => term.toLowerCase()))
  return hits.lines.some(
    ({ text }) =>
      text.length < maxDefinition && foldedTerms.has(readDefinition(path, text)?.name.toLowerCase() ?? ''),
  )
}

/**
 * Returns at most `limit` lines, in the order of the file. Lines with more of the terms and lines that define
 * a name are preferred.
 */
function pickTellingLines(hits: FileHits, terms: readonly string[], limit: number): FileHits['lines'] {
  const path = textOfBytes(hits.name)
  const weight = (text: string) => {
    const folded = text.toLowerCase()
    const words = terms.filter((term) => folded.includes(term.toLowerCase())).length
    return words * 2 + (text.length < maxDefinition && readDefinition(path, text) ? 3 : 0)
  }
  const order = hits.lines.map((line) => ({ line, weight: weight(line.text) }))
  order.sort((a, b) => b.weight - a.weight || a.line.line - b.line.line)
  return order
    .slice(0, limit)
    .map((one) => one.line)
    .sort((a, b) => a.line - b.line)
}
