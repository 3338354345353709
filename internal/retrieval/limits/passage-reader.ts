// Reads files again from which passages were chosen, and keeps only a bounded amount of what it read.
import { readFileText } from '../count-file.ts'
import { kindOfFile } from '../file-kind.ts'
import type { PassageFile, TextPassage } from '../passage.ts'
import { linesOfText, splitFile } from '../split-file.ts'

interface SplitText {
  lines: string[]
  places: readonly string[] | undefined
  passages: TextPassage[]
  /** What the reader of a passage has to know of its file. */
  notes?: readonly string[]
}

/** Gives the file of this index, undefined where it can no longer be read. */
export type PassageReader = (file: number) => Promise<SplitText | undefined>

/** Their lines and passages take several times as much memory. */
const maxKeptChars = 2_000_000

/**
 * Each file is read once, as long as all of them have at most `maxChars` characters; above that the oldest is
 * given up, and read again when it is asked for. The newest is always kept.
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
      found = { lines, places: read.places, passages, notes: read.notes }
    }
    chars += text.length
    known.set(index, { chars: text.length, found })
    return found
  }
}
