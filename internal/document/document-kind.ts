// File kinds that count as documents: formats with text in places other than lines.

const documentKinds = [
  'pdf',
  'docx',
  'xlsx',
  'pptx',
  'odt',
  'ods',
  'odp',
  'html',
  'epub',
  'notebook',
  'table',
  'mail',
  'rtf',
] as const
export type DocumentKind = (typeof documentKinds)[number]

const byEnding: Readonly<Record<string, DocumentKind>> = {
  pdf: 'pdf',
  docx: 'docx',
  docm: 'docx',
  xlsx: 'xlsx',
  xlsm: 'xlsx',
  pptx: 'pptx',
  pptm: 'pptx',
  odt: 'odt',
  ods: 'ods',
  odp: 'odp',
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  epub: 'epub',
  ipynb: 'notebook',
  csv: 'table',
  tsv: 'table',
  eml: 'mail',
  rtf: 'rtf',
}

/** Returns the kind by the file extension, or undefined for any other file. */
export function documentKindOf(path: string): DocumentKind | undefined {
  return byEnding[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '']
}

/**
 * Returns true for every kind of document except HTML pages and tables, and false for other files. Files of
 * these kinds may be larger than plain text, because they store their text packed or among other data.
 */
export function isPackedDocument(path: string): boolean {
  const kind = documentKindOf(path)
  return kind !== undefined && kind !== 'html' && kind !== 'table'
}

/** Office and book formats that cannot be read, with their common names and a fix. */
const unread: Readonly<Record<string, string>> = {
  doc: 'an old Word file: save it as DOCX',
  xls: 'an old Excel file: save it as XLSX or CSV',
  ppt: 'an old PowerPoint file: save it as PPTX or PDF',
  djvu: 'a DjVu file: save it as PDF',
  mobi: 'a Kindle file: convert it to EPUB',
  azw3: 'a Kindle file: convert it to EPUB',
}

/** Returns the name and fix of an office or book format that cannot be read, or undefined for other files. */
export function describeUnreadKind(path: string): string | undefined {
  return unread[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '']
}
