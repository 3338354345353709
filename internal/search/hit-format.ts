// The formats of matches: lines like those of grep for reading, objects for programs.

import { type ByteName, bytesOfText, textOfBytes } from '../base/text/byte-name.ts'
import { groupDigits } from '../base/text/count-noun.ts'
import { escapeControls, shownName } from '../base/text/invisible-chars.ts'
import type { FileHits, HitLine } from './hit-buffer.ts'

interface LineMatch {
  path: string
  line: number
  /** Byte column of the first match on the line, from 1, if the engine reports it. */
  column?: number
  text: string
  /**
   * Context lines; undefined if the query requests no context. A line near two matches is listed only with
   * the earlier match.
   */
  before?: { line: number; text: string }[]
  after?: { line: number; text: string }[]
}

/**
 * Returns the matches as text: `path:line:text` for matches, `path-line-text` for context. `grouped` adds
 * `--` between two lines that are not neighbors in one file.
 */
export function formatHits(files: readonly FileHits[], prefix: string, grouped: boolean): string {
  const out: string[] = []
  for (const { name, lines } of files) {
    const path = shownName(bytesOfText(prefix) + name)
    let last: number | undefined
    for (const line of lines) {
      if (grouped && out.length > 0 && line.line - 1 !== last) out.push('--')
      const mark = line.match ? ':' : '-'
      out.push(`${path}${mark}${line.line}${mark}${escapeControls(line.text)}`)
      last = line.line
    }
  }
  return out.join('\n')
}

export function matchList(
  files: readonly FileHits[],
  prefix: string,
  contextLines: { before: number; after: number },
): LineMatch[] {
  return files.flatMap(({ name, lines }) => {
    const path = textOfBytes(bytesOfText(prefix) + name)
    return contextLines.before + contextLines.after > 0
      ? withContext(path, lines, contextLines)
      : lines.map((line) => matchOf(path, line))
  })
}

function matchOf(path: string, { line, column, text }: HitLine): LineMatch {
  return column === undefined ? { path, line, text } : { path, line, column, text }
}

function withContext(
  path: string,
  lines: readonly HitLine[],
  contextLines: { before: number; after: number },
): LineMatch[] {
  const out: LineMatch[] = []
  let waiting: { line: number; text: string }[] = []
  for (const line of lines) {
    const previous = out.at(-1)
    if (line.match) {
      const before = waiting.filter((one) => line.line - one.line <= contextLines.before)
      out.push({ ...matchOf(path, line), before, after: [] })
      waiting = []
    } else if (previous && line.line - previous.line <= contextLines.after) {
      previous.after?.push({ line: line.line, text: line.text })
    } else waiting.push({ line: line.line, text: line.text })
  }
  return out
}

/**
 * Returns a notice about each of the first five files in `capped`, which have more matching lines than `max`.
 * If there are more such files, a last notice counts them.
 */
export function cappedRemarks(
  capped: readonly { name: ByteName; total: number | undefined }[],
  prefix: string,
  max: number,
): string[] {
  const named = capped.slice(0, 5).map(({ name, total }) => {
    const of = total === undefined ? `more than ${max}` : groupDigits(total)
    return (
      `${shownName(bytesOfText(prefix) + name)}: ${max} of ${of} matching lines; ` +
      'raise max_matches for the rest'
    )
  })
  const rest = capped.length - named.length
  return rest > 0 ? [...named, `${rest} more files have over ${max} matching lines`] : named
}

/**
 * Returns at most `limit` matching lines with their context lines, without the first `offset` matching lines.
 * The numbers count the matching lines of all files. Files without a returned line are left out.
 */
export function windowOfHits(
  files: readonly FileHits[],
  { offset, limit }: { offset: number; limit: number },
  contextLines: { before: number; after: number },
): FileHits[] {
  let matchCount = 0
  return files.flatMap((file) => {
    const windowLines = file.lines.filter(
      (line) => line.match && matchCount++ >= offset && matchCount <= offset + limit,
    )
    const isNear = ({ line }: HitLine) =>
      windowLines.some(
        (hit) => line >= hit.line - contextLines.before && line <= hit.line + contextLines.after,
      )
    const lines = file.lines.filter((line) => (line.match ? windowLines.includes(line) : isNear(line)))
    return windowLines.length > 0 ? [{ ...file, lines }] : []
  })
}
