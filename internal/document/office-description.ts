// Description of an office file or book for `look_at`: a line of facts and the beginning of its text.

import { parseDocument } from './document.ts'
import { type DocumentKind, describeUnreadKind, documentKindOf } from './document-kind.ts'
import { layOutDocument } from './document-lines.ts'
import { parsePlace } from './document-place.ts'
import type { DocumentBlock } from './document-text.ts'

interface OfficeFile {
  shown: string
  /** Bytes of the whole file. */
  size: number
  bytes: Buffer
  whole: boolean
}

interface OfficeDescription {
  summary: string
  body: string
  data: Record<string, unknown>
}

const maxChars = 24_000
const maxMs = 10_000

/** Common names of the formats and of their sections. */
const offices: Partial<Record<DocumentKind, { name: string; sections?: string }>> = {
  docx: { name: 'Word document' },
  xlsx: { name: 'Excel workbook', sections: 'sheets' },
  pptx: { name: 'PowerPoint presentation', sections: 'slides' },
  odt: { name: 'OpenDocument text' },
  ods: { name: 'OpenDocument spreadsheet', sections: 'sheets' },
  odp: { name: 'OpenDocument presentation', sections: 'slides' },
  epub: { name: 'EPUB book', sections: 'chapters' },
}

/**
 * Describes an office file or book by its extension, also one that is not read because of its format or size.
 * Returns undefined for other extensions.
 */
export async function describeOfficeFile(
  file: OfficeFile,
  signal: AbortSignal,
): Promise<OfficeDescription | undefined> {
  const { shown: fileName, size, bytes, whole } = file
  const unread = describeUnreadKind(fileName)
  if (unread !== undefined)
    return {
      summary: `${fileName}: ${unread}`,
      body: '',
      data: { kind: 'document', bytes: size, reason: unread },
    }
  const kind = documentKindOf(fileName)
  const office = kind && offices[kind]
  if (!kind || !office) return undefined
  const data = { kind: 'document', format: kind, bytes: size }
  const read = whole
    ? await parseDocument(bytes, kind, { signal, limits: { ms: maxMs, bytes: bytes.length } })
    : { skipped: 'it is too large to be opened' }
  const summary = `${fileName}: ${office.name}`
  if ('skipped' in read)
    return { summary, body: `[no text: ${read.skipped}]`, data: { ...data, reason: read.skipped } }
  const sections = office.sections === undefined ? 0 : countSections(read.blocks)
  const text = layOutDocument(read.blocks).lines.join('\n')
  const notes = [
    ...(text.length > maxChars ? [`the first ${maxChars} of ${text.length} characters`] : []),
    ...(read.cut === undefined ? [] : [read.cut]),
  ]
  const facts = [
    ...(sections > 0 ? [countOf(sections, office.sections ?? '')] : []),
    ...(read.title === undefined ? [] : [`“${read.title}”`]),
    ...(read.date === undefined ? [] : [read.date]),
  ]
  return {
    summary: [summary, ...facts].join(', '),
    body: [text.slice(0, maxChars), ...(notes.length > 0 ? [`[${notes.join('; ')}]`] : [])].join('\n'),
    data: {
      ...data,
      title: read.title ?? null,
      sections: sections > 0 ? sections : null,
      text: text.slice(0, maxChars),
      truncated: notes.length > 0,
    },
  }
}

/** Counts the sections that contain text. */
function countSections(blocks: readonly DocumentBlock[]): number {
  const places = blocks.map(({ place }) => parsePlace(place))
  return new Set(places.flatMap((place) => (place?.outer ? [place.outer.n] : []))).size
}

const countOf = (count: number, units: string) => `${count} ${count === 1 ? units.slice(0, -1) : units}`
