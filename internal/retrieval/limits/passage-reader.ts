// Second reading of the files whose passages were chosen, with a cache of limited size.
import { once } from '../../base/once.ts'
import { readFileText } from '../count-file.ts'
import { kindOfFile, withoutTemplate } from '../file-kind.ts'
import type { PassageFile, TextPassage } from '../passage.ts'
import { listQuoteUnits, type QuoteUnit } from '../quotation/quote-units.ts'
import { linesOfText, splitFile } from '../split-file.ts'

interface SplitText {
  lines: string[]
  places: readonly string[] | undefined
  passages: TextPassage[]
  /** Returns the units of a program, which are read when they are first used. */
  units: () => readonly QuoteUnit[]
  /** Notices about the file, for the reader of its passages. */
  notes?: readonly string[]
}

/** Returns the lines and passages of the file with this index; undefined if it can no longer be read. */
export type PassageReader = (file: number) => Promise<SplitText | undefined>

/**
 * Largest number of characters in the cache. The lines and passages of the files take several times
 * as much memory.
 */
const maxKeptChars = 2_000_000

/**
 * Returns a reader that caches files with at most `maxChars` characters in total. If there are more, it drops
 * the files that were read first. The latest file always stays cached.
 */
export function createPassageReader(files: readonly PassageFile[], maxChars = maxKeptChars): PassageReader {
  const known = new Map<number, { chars: number; found: SplitText | undefined }>()
  let chars = 0
  return async (index) => {
    const kept = known.get(index)
    if (kept) return kept.found
    const file = files[index] as PassageFile
    const read = await readFileText(file)
    const text = 'text' in read ? read.text : ''
    for (const [oldest, { chars: gone }] of known) {
      if (chars + text.length <= maxChars) break
      known.delete(oldest)
      chars -= gone
    }
    let found: SplitText | undefined
    if ('text' in read) {
      const lines = linesOfText(text)
      const passages = splitFile(lines, file.path, kindOfFile(file.path))
      const units = once(() => listQuoteUnits(lines, withoutTemplate(file.path)))
      found = { lines, places: read.places, passages, units, notes: read.notes }
    }
    chars += text.length
    known.set(index, { chars: text.length, found })
    return found
  }
}
