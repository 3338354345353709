// Choice of the matches that fit into a conversation: those in the most relevant files.
import { countNoun, groupDigits } from '../base/text/count-noun.ts'
import type { FileHits, HitLine } from './hit-buffer.ts'
import { scoreFile, shareRoom } from './relevance.ts'
import type { TextSearchResult } from './text-query.ts'

/**
 * Smallest number of lines that a file with enough lines shows, even if there are many files. A file shows
 * fewer lines or none if the rest of the limit on all lines or bytes is too small for them.
 */
const minShare = 3

interface HitLimits {
  lines: number
  /** Largest number of bytes of the matches in the printed form `path:line:text`. */
  bytes: number
}

/**
 * Returns the lines of the most relevant files within the limits, with a note that counts shown and all
 * matching lines. Undefined if all lines, including those of the context, are within the limits.
 */
export function chooseRelevantHits(
  searchResult: Pick<TextSearchResult, 'files' | 'left'>,
  terms: readonly string[],
  limits: HitLimits,
): { files: FileHits[]; note: string } | undefined {
  const sizes = searchResult.files.map(({ name, lines }) =>
    lines.reduce((sum, line) => sum + sizeOf(name, line), 0),
  )
  const lines = searchResult.files.reduce((sum, file) => sum + file.lines.length, 0)
  if (lines <= limits.lines && sizes.reduce((sum, size) => sum + size, 0) <= limits.bytes) return undefined
  const scored = searchResult.files.map((file) => ({ file, score: scoreOf(file, terms) }))
  scored.sort((a, b) => b.score - a.score || (a.file.name < b.file.name ? -1 : 1))
  const ranked = scored.map(({ file }) => file)
  const parts = shareRoom(
    ranked.map((file) => file.lines.length),
    limits.lines,
    minShare,
  )
  const files: FileHits[] = []
  let room = limits.bytes
  for (const [i, file] of ranked.entries()) {
    const keptLines: HitLine[] = []
    for (const line of file.lines.slice(0, parts[i])) {
      const size = sizeOf(file.name, line)
      if (size > room) break
      room -= size
      keptLines.push(line)
    }
    if (keptLines.some((line) => line.match)) files.push({ ...file, lines: keptLines })
  }
  return { files, note: describeShown(searchResult, files) }
}

function describeShown(
  searchResult: Pick<TextSearchResult, 'files' | 'left'>,
  files: readonly FileHits[],
): string {
  const shownCount = countMatches(files)
  const all = searchResult.files.reduce((sum, { matches }) => sum + matches, 0) + searchResult.left.matches
  const fileCount = searchResult.files.length + searchResult.left.files
  const total = `${searchResult.left.more ? 'at least ' : ''}${groupDigits(all)}`
  const where = countNoun(fileCount, 'file')
  const hint = 'narrow pattern, path or glob'
  return `${shownCount} of ${total} matching lines in ${where}, most relevant files first; ${hint}`
}

const countMatches = (files: readonly FileHits[]) =>
  files.reduce((sum, { lines }) => sum + lines.filter((line) => line.match).length, 0)

function scoreOf({ name, lines, matches }: FileHits, terms: readonly string[]): number {
  const words = new Set(lines.filter(({ match }) => match).map(({ text }) => text.trim())).size
  return scoreFile({ name, matches, lines: matches, words: Math.min(words, 4) }, terms, undefined)
}

const sizeOf = (name: string, line: HitLine) =>
  name.length + String(line.line).length + Buffer.byteLength(line.text) + 3
