// Content search in a tree's files, through ripgrep or else through grep.
import { type Failure, FailureError } from '../base/errors.ts'
import type { ByteName } from '../base/text/byte-name.ts'
import { searchWithGrep } from './grep.ts'
import { createHitBuffer, type ShownHits } from './hit-buffer.ts'
import { searchOtherEncodings } from './other-encodings.ts'
import { countLinesOfFiles, meaningArgs } from './ripgrep/line-counts.ts'
import { ripgrepComplaint, runRipgrep, type SearchMeans } from './ripgrep/ripgrep.ts'
import { createHitReader, maxLineBytes } from './ripgrep/ripgrep-output.ts'
import { countGuarded, createAdmission, type SearchTree, walkArgs } from './search-tree.ts'
import { contextLinesOf, type TextQuery, type TextSearchResult } from './text-query.ts'

/**
 * Searches with ripgrep, or with grep if no ripgrep starts. Files are in byte order of their names, lines in
 * order. Throws FailureError `bad_args` for a pattern that the engine does not support, and `unavailable` if
 * no engine starts or grep lacks a needed feature. A search that ended early returns the matches so far, with
 * the reason in `ended`.
 */
export async function searchText(
  tree: SearchTree,
  textQuery: TextQuery,
  means: SearchMeans,
): Promise<TextSearchResult> {
  const searchResult = await searchOnce(tree, textQuery, means)
  if (searchResult.engine === 'grep' || searchResult.ended !== undefined) return searchResult
  const isAscii = textQuery.patterns.every((pattern) => /^[\x00-\x7f]*$/.test(pattern))
  const isTorn = searchResult.files.some(({ lines }) => lines.some(({ text }) => text.includes('\ufffd')))
  if (isAscii && !isTorn && (searchResult.files.length > 0 || searchResult.left.files > 0))
    return searchResult
  return searchOtherEncodings(searchResult, { tree, textQuery, means, searchOnce })
}

/** Runs ripgrep once with `extra` as additional options; without ripgrep, runs grep. */
async function searchOnce(
  tree: SearchTree,
  textQuery: TextQuery,
  means: SearchMeans,
  extra: readonly string[] = [],
): Promise<TextSearchResult> {
  const hitBuffer = createHitBuffer(textQuery.room, textQuery.max)
  const { after } = contextLinesOf(textQuery)
  const limits = { max: textQuery.max, context: after, room: textQuery.room }
  const hidden: ByteName[] = []
  const read = createHitReader(limits, createAdmission(tree, hidden), hitBuffer)
  const args = await textArgs(tree, textQuery, extra)
  const ran = await runRipgrep(args, tree.dir, means, (chunk) => read.take(chunk))
  if (!ran) return searchWithGrep(tree, textQuery, means)

  const { binary } = read.end()
  const shownHits = hitBuffer.end()
  const opened = shownHits.files.length > 0 || ran.unreadable > 0 || ran.skipped.length > 0
  if (ran.exit === 2 && ran.message !== '' && !opened) throw new FailureError(toFailure(ran.message))
  const capped = await countCapped(shownHits, tree, [...meaningArgs(textQuery), ...extra], textQuery, means)
  return {
    engine: 'ripgrep',
    ...shownHits,
    capped,
    skipped: await countGuarded(tree, ran.skipped),
    unreadable: ran.unreadable,
    hidden,
    binary,
    ended: ran.ended,
  }
}

/**
 * Returns the ripgrep arguments for output that `createHitReader` can read. They request one match more than
 * `max`, which shows that there are more.
 */
export async function textArgs(
  tree: SearchTree,
  textQuery: TextQuery,
  extra: readonly string[] = [],
): Promise<string[]> {
  const args = [...printing, `--max-count=${textQuery.max + 1}`, ...meaningArgs(textQuery), ...extra]
  const { before, after } = contextLinesOf(textQuery)
  if (before > 0) args.push(`--before-context=${before}`)
  if (after > 0) args.push(`--after-context=${after}`)
  if (textQuery.multiline) args.push('--multiline', '--multiline-dotall')
  if (textQuery.type !== undefined) args.push(`--type=${textQuery.type}`)
  const { walk, paths } = await walkArgs(tree)
  // The reader recognizes names by the `./` with which they begin.
  return [...args, ...walk, ...(paths.length > 0 ? paths : ['--', './'])]
}

const printing = [
  '--heading',
  '--null',
  '--with-filename',
  '--line-number',
  '--column',
  '--no-mmap',
  `--max-columns=${maxLineBytes}`,
  '--max-columns-preview',
]

function toFailure(message: string): Failure {
  const reason = ripgrepComplaint(message)
  const hint = /look-?around/.test(message)
    ? 'ripgrep has no look-around; match more and filter, or search for a literal part'
    : 'omit regex to search for the literal text'
  return { code: 'bad_args', message: `pattern: ${reason}`, hint }
}

/**
 * Returns the shown files with more matching lines than `max`. With `exact`, these files are searched a
 * second time to count all of their lines; otherwise `total` is undefined.
 */
async function countCapped(
  shownHits: ShownHits,
  tree: SearchTree,
  meaning: readonly string[],
  textQuery: TextQuery,
  means: SearchMeans,
): Promise<TextSearchResult['capped']> {
  const over = shownHits.files.filter((file) => file.matches > textQuery.max)
  const names = textQuery.exact ? over.map(({ name }) => name) : []
  const counts = await countLinesOfFiles(names, tree.dir, meaning, means)
  return over.map(({ name }) => ({ name, total: counts.get(name) }))
}
