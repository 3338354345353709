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
  let kept: { hits: FileHits; bytes: number }[] = []
  let held = 0
  let bound: ByteName | undefined
  const gone = { files: 0, matches: 0, more: false }

  const settle = () => {
    kept.sort((a, b) => (a.hits.name < b.hits.name ? -1 : 1))
    let end = 0
    held = 0
    while (end < kept.length && held <= room) held += kept[end++]?.bytes ?? 0
    for (const { hits } of kept.slice(end)) drop(hits.matches)
    kept = kept.slice(0, end)
    if (held > room) bound = kept.at(-1)?.hits.name
  }
  const drop = (matches: number) => {
    gone.files++
    gone.matches += matches
    gone.more ||= matches > max
  }

  return {
    /** Returns true if a file will certainly not be shown, because its name follows all names that fit. */
    beyond: (name: ByteName) => bound !== undefined && name > bound,
    /** Counts a file that will not be shown, with the number of its matching lines. */
    drop,
    add(hits: FileHits) {
      const bytes = hits.lines.reduce((sum, line) => sum + size(hits.name, line), 0)
      kept.push({ hits, bytes })
      held += bytes
      if (held > room * 3) settle()
    },
    end(): ShownHits {
      settle()
      let bytes = 0
      const files: FileHits[] = []
      const left = { ...gone }
      for (const { hits } of kept) {
        const lines: HitLine[] = []
        for (const line of hits.lines) {
          bytes += size(hits.name, line)
          if (bytes > room) break
          lines.push(line)
        }
        // Matching lines beyond the room of one file were counted but not stored.
        const all = Math.min(hits.matches, max)
        const shown = lines.filter((line) => line.match).length
        if (shown > 0) files.push({ ...hits, lines })
        else left.files++
        left.matches += shown > 0 ? all - shown : hits.matches
        if (shown === 0) left.more ||= hits.matches > max
      }
      return { files, left, bytes: Math.min(bytes, room) }
    },
  }
}

/** Returns the number of bytes of a line in the printed form `name:line:text` with a line end. */
function size(name: ByteName, line: HitLine): number {
  return name.length + String(line.line).length + Buffer.byteLength(line.text) + 3
}
