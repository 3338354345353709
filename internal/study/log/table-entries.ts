// Types of a table, for studies with one row per document: columns, documents, rows and their cells.

export interface StudyColumn {
  name: string
  type: 'text' | 'number' | 'date' | 'yes/no' | 'choice'
  /** Allowed values of the type `choice`. */
  choices?: readonly string[]
}

/** The table as the user requested it. It never changes. */
export interface TableRequest {
  /** The pattern, directory or `@list.txt` that names the documents, relative to the root. */
  documents: string
  columns: readonly StudyColumn[]
  /** Maximum number of documents. Default: all. */
  sample?: number
}

/** A document by its path relative to the root. `sha256` is empty if the file was unreadable. */
export interface TableFile {
  path: string
  sha256: string
}

/** The documents at the start of the study or of its latest resume, in the order of the rows. */
export interface TableFiles {
  files: readonly TableFile[]
  /** Copies of a document, which get no row. */
  same: readonly { path: string; as: string }[]
}

export interface RowCell {
  column: string
  /** In the form of the column's type; empty if rules found only a quote. */
  value: string
  quote: string
  /** Position of the quote in the document, for example `page 2, lines 4-6`. */
  place: string
  /** `not_found`: the quote is not in the document, or its number is not in the quote. */
  state: 'verified' | 'quoted' | 'not_found'
}

/** Row of one document. A column without a cell is not stated. */
export interface TableRow extends TableFile {
  task: string
  cells: readonly RowCell[]
  /** Reason why the document is unreadable. */
  why?: string
}

export interface TableState {
  documents: TableFiles
  /** By task. */
  rows: Map<string, TableRow>
}

/** Entries of the log by kind. */
export interface TableEntries {
  /** A later entry replaces an earlier one. */
  documents: TableFiles
  /** Key `row:<task>`. */
  row: TableRow
}
