// Types of a document after reading: blocks of text with their places.
import type { DocumentKind } from './document-kind.ts'

/** A paragraph, a table row, a cell or a heading, with its place and the headings above it. */
export interface DocumentBlock {
  text: string
  place: string
  /** Headings from the outermost, joined by ` > `. A heading block includes its own text. */
  heading?: string
}

/** Result of a reader for one kind of document. */
export interface DocumentContent {
  title?: string
  /** Date of the document in ISO form: a day, a month or a year. */
  date?: string
  blocks: DocumentBlock[]
  /** The part that was read, if not the whole document: `the first 200 of 800 pages`. */
  cut?: string
  /** Notes for the user or model that reads the result: a guess, or parts that are not shown. */
  notes?: readonly string[]
}

export interface DocumentText {
  kind: DocumentKind
  title?: string
  /** Date that the document states, in ISO form: a day, a month or a year. */
  date?: string
  blocks: readonly DocumentBlock[]
  /** The part that was read, if not the whole document. */
  cut?: string
  notes?: readonly string[]
  /** SHA-256 of the bytes that were read, in hex. */
  sha256: string
  /** Bytes of the file. */
  size: number
}

/**
 * A document that was not read. `skipped` is the reason, which follows the file name in messages: `it is
 * encrypted`, `no text: 12 scanned pages`.
 */
export interface SkippedDocument {
  skipped: string
}
