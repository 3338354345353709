// ZIP files from parts, as DOCX and EPUB files are made of.
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipOptions {
  /** Whether the parts are not packed, so that the bytes are the same on every version of zlib. */
  stored?: boolean
  /** Whether every entry declares that a key is needed. */
  encrypted?: boolean
  /** The unpacked size that the entries declare, true or false. */
  claimedSize?: number
}

export function makeZip(
  parts: Readonly<Record<string, string | Buffer>>,
  { encrypted = false, stored = false, claimedSize }: ZipOptions = {},
): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, content] of Object.entries(parts)) {
    const bytes = Buffer.from(content)
    const packed = stored ? bytes : deflateRawSync(bytes, { level: 9 })
    const fields = { bytes, packed, name, encrypted, stored, size: claimedSize ?? bytes.length }
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    fillEntry(local, 4, fields)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50, 0)
    central.writeUInt16LE(20, 4)
    fillEntry(central, 6, fields)
    central.writeUInt32LE(at, 42)
    bodies.push(local, Buffer.from(name), packed)
    directory.push(central, Buffer.from(name))
    at += 30 + Buffer.byteLength(name) + packed.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Object.keys(parts).length, 8)
  end.writeUInt16LE(Object.keys(parts).length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...bodies, list, end])
}

interface EntryFields {
  bytes: Buffer
  packed: Buffer
  name: string
  encrypted: boolean
  stored: boolean
  size: number
}

/** Writes the fields that both headers have, from `version needed` on. */
function fillEntry(header: Buffer, at: number, fields: EntryFields): void {
  const { bytes, packed, name, encrypted, stored, size } = fields
  header.writeUInt16LE(20, at)
  header.writeUInt16LE(0x0800 | (encrypted ? 1 : 0), at + 2)
  header.writeUInt16LE(stored ? 0 : 8, at + 4)
  // 1 January 2024, so that equal parts make equal files
  header.writeUInt16LE(0, at + 6)
  header.writeUInt16LE(((2024 - 1980) << 9) | (1 << 5) | 1, at + 8)
  header.writeUInt32LE(crc32(bytes), at + 10)
  header.writeUInt32LE(packed.length, at + 14)
  header.writeUInt32LE(size, at + 18)
  header.writeUInt16LE(Buffer.byteLength(name), at + 22)
}

const wordNames = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

/** Returns a DOCX file: `body` as WordprocessingML, with the heading styles of a German Word. */
export function makeDocx(
  body: string,
  { core = '', parts = {} }: { core?: string; parts?: Record<string, string> } = {},
  options: ZipOptions = {},
): Buffer {
  const style = (id: string, name: string) =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`
  return makeZip(
    {
      '[Content_Types].xml':
        '<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
      '_rels/.rels':
        '<?xml version="1.0" encoding="UTF-8"?>\n<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
      'docProps/core.xml': `<?xml version="1.0"?><cp:coreProperties xmlns:cp="cp" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">${core}</cp:coreProperties>`,
      'word/styles.xml': `<?xml version="1.0"?><w:styles ${wordNames}>${style('Titel', 'Title')}${style('berschrift1', 'heading 1')}${style('berschrift2', 'heading 2')}</w:styles>`,
      'word/document.xml': `<?xml version="1.0" encoding="UTF-8"?><w:document ${wordNames}><w:body>${body}</w:body></w:document>`,
      ...parts,
    },
    options,
  )
}

/** Returns a paragraph of a DOCX file. */
export const wordParagraph = (text: string, style?: string): string =>
  `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`

/** Returns a table of a DOCX file. */
export const wordTable = (rows: readonly (readonly string[])[]): string =>
  `<w:tbl>${rows.map((cells) => `<w:tr>${cells.map((cell) => `<w:tc>${wordParagraph(cell)}</w:tc>`).join('')}</w:tr>`).join('')}</w:tbl>`

/** Returns an EPUB file: XHTML bodies in reading order. */
export function makeEpub(
  sections: readonly string[],
  { metadata = '', parts = {} }: { metadata?: string; parts?: Record<string, string> } = {},
  options: ZipOptions = {},
): Buffer {
  const items = sections.map(
    (_, i) => `<item id="s${i}" href="text/s%20${i}.xhtml" media-type="application/xhtml+xml"/>`,
  )
  const refs = sections.map((_, i) => `<itemref idref="s${i}"/>`)
  const pages = sections.map((body, i) => [
    `OEBPS/text/s ${i}.xhtml`,
    `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>s${i}</title></head><body>${body}</body></html>`,
  ])
  return makeZip(
    {
      mimetype: 'application/epub+zip',
      'META-INF/container.xml':
        '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
      'OEBPS/book.opf': `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">${metadata}</metadata><manifest>${items.join('')}</manifest><spine>${refs.join('')}</spine></package>`,
      ...Object.fromEntries(pages),
      ...parts,
    },
    options,
  )
}
