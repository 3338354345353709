// Text of a document as lines that can be searched, with the position of each line in the document.
import { readDocument } from '../document/document.ts'
import { layOutDocument } from '../document/document-lines.ts'
import { spanPlaces } from '../document/document-place.ts'

interface PlacedText {
  text: string
  bytes: number
  /** Position of each line in the document; empty for blank lines. */
  places: readonly string[]
  /**
   * Notices about the document: its encoding is a guess, its text is doubtful, or parts of it are not shown.
   */
  notes?: readonly string[]
}

/** Returns a document as text, or the reason why it is skipped. */
export async function readDocumentText(real: string): Promise<PlacedText | { skipped: string }> {
  const document = await readDocument(real, { signal: new AbortController().signal })
  if ('skipped' in document) return document
  const { lines, places } = layOutDocument(document.blocks)
  const { notes } = document
  return { text: lines.join('\n'), bytes: document.size, places, notes }
}

/**
 * Returns the position in the document of the lines `from` to `to`, 1-based and inclusive; empty if all of
 * them are blank.
 */
export function placeOfLines(places: readonly string[], from: number, to: number): string {
  const linePlaces = places.slice(from - 1, to).filter((place) => place !== '')
  return spanPlaces(linePlaces[0] ?? '', linePlaces.at(-1) ?? '')
}
