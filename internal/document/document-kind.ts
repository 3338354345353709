// Which files are documents: formats that hold text with places other than lines.

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

/** By the ending of the name; undefined for everything else. */
export function documentKindOf(path: string): DocumentKind | undefined {
  return byEnding[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '']
}

/** Whether its text does not stand in the file as it is: such files may be larger than plain text. */
export function isPackedDocument(path: string): boolean {
  const kind = documentKindOf(path)
  return kind !== undefined && kind !== 'html' && kind !== 'table'
}

/** Formats of offices and readers that are not read, by the name people know them by. */
const unread: Readonly<Record<string, string>> = {
  doc: 'an old Word file: save it as DOCX',
  xls: 'an old Excel file: save it as XLSX or CSV',
  ppt: 'an old PowerPoint file: save it as PPTX or PDF',
  djvu: 'a DjVu file: save it as PDF',
  mobi: 'a Kindle file: convert it to EPUB',
  azw3: 'a Kindle file: convert it to EPUB',
}

/** What a file of prose or tables is that cannot be read, and what to do; undefined for everything else. */
export function describeUnreadKind(path: string): string | undefined {
  return unread[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '']
}
