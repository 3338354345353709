// What a document is once it has been read: blocks of text with their places.
import type { DocumentKind } from './document-kind.ts'

/** A paragraph, a table row, a cell or a heading, with its place and the headings above it. */
export interface DocumentBlock {
  text: string
  place: string
  /** Headings from the outermost, joined by ` > `; a heading is part of its own. */
  heading?: string
}

/** What a reader of one kind of document returns. */
export interface DocumentContent {
  title?: string
  /** ISO 8601, a day or a time. */
  date?: string
  blocks: DocumentBlock[]
  /** What was read where it is not the whole: `the first 200 of 800 pages`. */
  cut?: string
  /** What the reader of the result has to know: a guess, or parts that are not shown. */
  notes?: readonly string[]
}

export interface DocumentText {
  kind: DocumentKind
  title?: string
  /** The document's own, a day in ISO form. */
  date?: string
  blocks: readonly DocumentBlock[]
  /** What was read where it is not the whole. */
  cut?: string
  notes?: readonly string[]
  /** Of the bytes that were read, in hex. */
  sha256: string
  /** Bytes of the file. */
  size: number
}

/** Goes on from the name of the file: `it is encrypted`, `no text: 12 scanned pages`. */
export interface SkippedDocument {
  skipped: string
}
