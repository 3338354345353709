// Notes in an approval about words that look like other words, for example by similar letters.
import { listImitations } from '../../base/text/imitations.ts'
import type { SourceLine } from '../terminal/rows.ts'

/** Largest number of noted words. After that, one last note ends the notes. */
const maxNotes = 50
const maxWordChars = 60

/**
 * Yields the lines, each followed by notes about its words that look like other words. A word gets only
 * one note, and so do all words together that only run from right to left. The notes about the texts
 * `before` come first.
 */
export function* noteImitations(
  lines: Iterable<SourceLine>,
  before: readonly string[] = [],
): Generator<SourceLine> {
  const noted = new Set<string>()
  for (const text of before) yield* notesOf(text, noted)
  for (const line of lines) {
    yield line
    yield* notesOf(line.text, noted)
  }
}

function* notesOf(text: string, noted: Set<string>): Generator<SourceLine> {
  if (noted.size > maxNotes) return
  for (const { word, why, isDirection } of listImitations(text)) {
    const key = isDirection ? '' : word
    if (noted.has(key)) continue
    noted.add(key)
    const chars = [...word]
    const shortWord = chars.length > maxWordChars ? `${chars.slice(0, maxWordChars).join('')}…` : word
    if (noted.size > maxNotes) return yield { text: 'Caution: more such words follow', style: caution }
    yield { text: `Caution: "${shortWord}" ${why}`, style: caution }
  }
}

const caution = { color: 'yellow' } as const
