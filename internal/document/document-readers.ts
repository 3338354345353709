// The readers of all kinds of documents except PDF.
import type { DocumentKind } from './document-kind.ts'
import type { DocumentContent } from './document-text.ts'
import { readEpubDocument } from './epub-document.ts'
import { readHtmlDocument } from './html-document.ts'
import { readMailDocument } from './mail-document.ts'
import { readNotebookDocument } from './notebook-document.ts'
import { readOpenDocument } from './office/open-document.ts'
import { readSlidesDocument } from './office/slides-document.ts'
import { readSpreadsheetDocument } from './office/spreadsheet-document.ts'
import { readWordDocument } from './office/word-document.ts'
import type { ReadingBudget } from './reading-budget.ts'
import { readRtfDocument } from './rtf/rtf-document.ts'
import { readTableDocument } from './table-document.ts'

/** Returns the content of a document. Throws UnreadableDocument, or another error for broken input. */
export type DocumentReader = (bytes: Buffer, budget: ReadingBudget) => Promise<DocumentContent>

export const documentReaders: Readonly<Record<Exclude<DocumentKind, 'pdf'>, DocumentReader>> = {
  docx: readWordDocument,
  xlsx: readSpreadsheetDocument,
  pptx: readSlidesDocument,
  odt: (bytes, budget) => readOpenDocument(bytes, 'odt', budget),
  ods: (bytes, budget) => readOpenDocument(bytes, 'ods', budget),
  odp: (bytes, budget) => readOpenDocument(bytes, 'odp', budget),
  html: readHtmlDocument,
  epub: readEpubDocument,
  notebook: readNotebookDocument,
  mail: readMailDocument,
  rtf: readRtfDocument,
  table: readTableDocument,
}
