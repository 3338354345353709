// Types of tables, which studies with one row per document have: columns, documents, rows and cells.

export interface StudyColumn {
  name: string
  type: 'text' | 'number' | 'date' | 'yes/no' | 'choice'
  /** Allowed values of a column of the type `choice`. */
  choices?: readonly string[]
}

/** The table as the user requested it. It never changes. */
export interface TableRequest {
  /** Pattern, directory, file or `@list.txt` that says which documents are read, relative to the root. */
  documents: string
  columns: readonly StudyColumn[]
  /** Largest number of documents, which are taken evenly from all. Default: all. */
  sample?: number
}

/**
 * A document by its path relative to the root, which may begin with `..`. `sha256` is empty if the file was
 * unreadable or has more than 32 MiB.
 */
export interface TableFile {
  path: string
  sha256: string
}

/** The documents as of the start of the study or its latest resume, in the order of the rows. */
export interface TableFiles {
  files: readonly TableFile[]
  /** Documents that are copies of another one and so get no row. */
  same: readonly { path: string; as: string }[]
}

export interface RowCell {
  column: string
  /** Value in the form of the column's type; empty if rules found only a quote. */
  value: string
  quote: string
  /** Position of the quote in the document, for example `page 2, lines 4-6`. */
  place: string
  /**
   * Result of checking the cell. `verified`: the quote states the value. `quoted`: the quote is in the
   * document, but does not clearly state the value. `not_found`: the value has another form than the column,
   * the quote is not in the document, or the quote does not contain the number or date.
   */
  state: 'verified' | 'quoted' | 'not_found'
  /** Id of the evidence; undefined for a rejected cell, and in tables of earlier versions. */
  evidence?: string
}

/** Row of one document. If a column has no cell, no value was found for it. */
export interface TableRow extends TableFile {
  task: string
  cells: readonly RowCell[]
  /** Reason why the document is unreadable. */
  why?: string
}

export interface TableState {
  documents: TableFiles
  /** Rows by the id of their task. */
  rows: Map<string, TableRow>
}

/** Entries of the log by kind. */
export interface TableEntries {
  /** The documents of the table. A later entry replaces an earlier one. */
  documents: TableFiles
  /** A row. Key `row:<task>:<times>`: a task that is reopened writes another row. */
  row: TableRow
}
