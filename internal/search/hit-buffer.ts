// Keeps what a search found in the order of the names while holding only as much as will be shown.
import type { ByteName } from '../base/text/byte-name.ts'

/** A line of a file. Context lines are those that do not match. */
export interface HitLine {
  /** From 1. */
  line: number
  /** Byte column of the first match, from 1, when the engine tells. */
  column?: number
  match: boolean
  text: string
}

/** What was found in one file. */
export interface FileHits {
  name: ByteName
  lines: HitLine[]
  /** Matching lines seen, more than are in `lines` where a limit cut them. */
  matches: number
}

export interface ShownHits {
  /** In byte order of the names. */
  files: FileHits[]
  /**
   * Files, and matching lines in them, that the room did not hold; part of a file counts with its lines only.
   * `more`: some of these files have matches that were not counted.
   */
  left: { files: number; matches: number; more: boolean }
  bytes: number
}

/**
 * `room` is in bytes of the printed form `name:line:text`, `max` the number of matches up to which a file's
 * count is exact. Files whose names come after everything that will be shown are counted and dropped at once,
 * so memory stays within a few times the room, and what is shown does not depend on the order in which files
 * come in.
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
    /** True for a file that will not be shown, whatever it holds. */
    beyond: (name: ByteName) => bound !== undefined && name > bound,
    /** Counts a file that is beyond. */
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
        // lines past the room of one file were counted, not kept
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

/** Bytes of a line as grep prints it. */
function size(name: ByteName, line: HitLine): number {
  return name.length + String(line.line).length + Buffer.byteLength(line.text) + 3
}
