// Buffer of search matches with a limit in bytes, sorted by file name. It drops files that are
// beyond the limit.
import type { ByteName } from '../base/text/byte-name.ts'

/** A line of a file: a match, or a line of its context. */
export interface HitLine {
  /** Number of the line, from 1. */
  line: number
  /** Byte column of the first match, from 1, if the engine reports it. */
  column?: number
  match: boolean
  text: string
}

/** Matches in one file. */
export interface FileHits {
  name: ByteName
  lines: HitLine[]
  /** Number of matching lines. `lines` may have fewer, because the lines and bytes of a file are limited. */
  matches: number
}

export interface ShownHits {
  /** Files in byte order of their names. */
  files: FileHits[]
  /**
   * Number of files of which no matching line is shown, and number of matching lines that are not shown. A
   * file that is partly shown counts at most `max` lines. `more`: the number of lines may be too low, because
   * a file that is not shown has more than `max`.
   */
  left: { files: number; matches: number; more: boolean }
  bytes: number
}

/**
 * Creates a buffer. `room` is the limit in bytes of the printed form `name:line:text`. The number of matches
 * of a file is exact up to `max`. Once three times `room` is stored, files beyond the limit are counted and
 * dropped. So memory is limited, and the order of arrival does not change the result.
 */
export function createHitBuffer(room: number, max: number) {
  let storedFiles: { hits: FileHits; bytes: number }[] = []
  let storedBytes = 0
  let bound: ByteName | undefined
  const droppedCounts = { files: 0, matches: 0, more: false }

  const settle = () => {
    storedFiles.sort((a, b) => (a.hits.name < b.hits.name ? -1 : 1))
    let end = 0
    storedBytes = 0
    while (end < storedFiles.length && storedBytes <= room) storedBytes += storedFiles[end++]?.bytes ?? 0
    for (const { hits } of storedFiles.slice(end)) drop(hits.matches)
    storedFiles = storedFiles.slice(0, end)
    if (storedBytes > room) bound = storedFiles.at(-1)?.hits.name
  }
  const drop = (matches: number) => {
    droppedCounts.files++
    droppedCounts.matches += matches
    droppedCounts.more ||= matches > max
  }

  return {
    /** Returns true if a file will certainly not be shown, because its name follows all names that fit. */
    beyond: (name: ByteName) => bound !== undefined && name > bound,
    /** Counts a file that will not be shown, with the number of its matching lines. */
    drop,
    add(hits: FileHits) {
      const bytes = hits.lines.reduce((sum, line) => sum + sizeOfLine(hits.name, line), 0)
      storedFiles.push({ hits, bytes })
      storedBytes += bytes
      if (storedBytes > room * 3) settle()
    },
    end(): ShownHits {
      settle()
      let bytes = 0
      const files: FileHits[] = []
      const omittedCounts = { ...droppedCounts }
      for (const { hits } of storedFiles) {
        const lines: HitLine[] = []
        for (const line of hits.lines) {
          bytes += sizeOfLine(hits.name, line)
          if (bytes > room) break
          lines.push(line)
        }
        // Matching lines beyond the room of one file were counted but not stored.
        const all = Math.min(hits.matches, max)
        const shownCount = lines.filter((line) => line.match).length
        if (shownCount > 0) files.push({ ...hits, lines })
        else omittedCounts.files++
        omittedCounts.matches += shownCount > 0 ? all - shownCount : hits.matches
        if (shownCount === 0) omittedCounts.more ||= hits.matches > max
      }
      return { files, left: omittedCounts, bytes: Math.min(bytes, room) }
    },
  }
}

/** Returns the number of bytes of a line in the printed form `name:line:text` with a line end. */
function sizeOfLine(name: ByteName, line: HitLine): number {
  return name.length + String(line.line).length + Buffer.byteLength(line.text) + 3
}
