// The text of a document as the lines that are searched, with the place of each.
import { readDocument } from '../document/document.ts'
import { layOutDocument } from '../document/document-lines.ts'
import { spanPlaces } from '../document/document-place.ts'

interface PlacedText {
  text: string
  bytes: number
  /** Of each line; empty for blank ones. */
  places: readonly string[]
  /** A guess, or parts that are not shown. */
  notes?: readonly string[]
}

/** A document as text, or why it is passed over. */
export async function readDocumentText(real: string): Promise<PlacedText | { skipped: string }> {
  const document = await readDocument(real, { signal: new AbortController().signal })
  if ('skipped' in document) return document
  const { lines, places } = layOutDocument(document.blocks)
  const { notes } = document
  return { text: lines.join('\n'), bytes: document.size, places, notes }
}

/** Where the lines `from` to `to`, 1-based and both included, stand in their document. */
export function placeOfLines(places: readonly string[], from: number, to: number): string {
  const own = places.slice(from - 1, to).filter((place) => place !== '')
  return spanPlaces(own[0] ?? '', own.at(-1) ?? '')
}
