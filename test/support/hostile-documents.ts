// Documents that try to exhaust their reader: bombs, cycles, depth, large numbers, and false declarations.
import { deflateSync } from 'node:zlib'
import { makeDocx, makeEpub, makeZip, wordParagraph, wordTable } from './zip.ts'

const relations = (links: readonly (readonly [id: string, type: string, target: string])[]) =>
  `<Relationships>${links
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`

/** Returns a PDF with objects numbered from 1, without a cross-reference table. */
function pdfOf(objects: readonly string[], trailer = ''): Buffer {
  const body = objects.map((text, i) => `${i + 1} 0 obj\n${text}\nendobj\n`).join('')
  return Buffer.from(`%PDF-1.4\n${body}trailer\n<< /Root 1 0 R ${trailer} >>\n%%EOF\n`, 'latin1')
}

const stream = (bytes: Buffer, entries = '') =>
  `<< /Length ${bytes.length} ${entries} >>\nstream\n${bytes.toString('latin1')}\nendstream`
const packed = (bytes: Buffer, entries = '') => stream(deflateSync(bytes), `/Filter /FlateDecode ${entries}`)

const catalog = '<< /Type /Catalog /Pages 2 0 R >>'
const page = (more: string) => `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${more} >>`
const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
const onePage = (more: string, ...objects: string[]) =>
  pdfOf([catalog, '<< /Type /Pages /Kids [3 0 R] /Count 1 >>', page(more), ...objects])

function manyPages(count: number, content: string): Buffer {
  const kids = Array.from({ length: count }, (_, i) => `${5 + i} 0 R`).join(' ')
  const resources = '/Resources << /Font << /F1 3 0 R >> >> /Contents 4 0 R'
  return pdfOf([
    ...[catalog, `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`, font, stream(Buffer.from(content))],
    ...Array.from({ length: count }, () => page(resources)),
  ])
}

function workbook(sheet: string, parts: Record<string, string> = {}): Buffer {
  return makeZip({
    'xl/workbook.xml': '<workbook><sheets><sheet name="S" r:id="a"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relations([['a', 'worksheet', 'worksheets/one.xml']]),
    'xl/worksheets/one.xml': sheet,
    ...parts,
  })
}

function slides(slide: string, count = 1): Buffer {
  const ids = Array.from({ length: count }, (_, i) => `<p:sldId id="${256 + i}" r:id="a"/>`).join('')
  return makeZip({
    'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations([['a', 'slide', 'slides/one.xml']]),
    'ppt/slides/_rels/one.xml.rels': relations([['n', 'notesSlide', '../slides/one.xml']]),
    'ppt/slides/one.xml': slide,
  })
}

const nested = (name: string, depth: number, inner = 'x') =>
  `<${name}>`.repeat(depth) + inner + `</${name}>`.repeat(depth)
const laughs = `<!DOCTYPE x [<!ENTITY a "ha">${Array.from(
  { length: 30 },
  (_, i) =>
    `<!ENTITY ${String.fromCharCode(98 + (i % 25))}${i} "&${i === 0 ? 'a' : `${String.fromCharCode(98 + ((i - 1) % 25))}${i - 1}`};&a;">`,
).join('')}]>`
const mib = (n: number, text = 'a ') => Buffer.alloc(n << 20, text)
const cells = (n: number) => `<c t="inlineStr"><is><t>x</t></is></c>`.repeat(n)

/** Functions that create the documents, by file name. */
export const hostileDocuments: Readonly<Record<string, () => Buffer>> = {
  'bomb.docx': () => makeDocx(wordParagraph(mib(60).toString())),
  'bomb-beyond.docx': () => makeDocx(wordParagraph(mib(300).toString())),
  'bomb-lying.docx': () => makeDocx(wordParagraph(mib(200).toString()), {}, { claimedSize: 1_000 }),
  'bomb-part.docx': () =>
    makeDocx(wordParagraph('x'), { parts: { 'word/media/a.bin': mib(200, '\0').toString('latin1') } }),
  'entries.docx': () =>
    makeZip(Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`word/p${i}.xml`, ''])), {
      stored: true,
    }),
  'deep.docx': () => makeDocx(nested('w:tbl', 300_000)),
  'deep-styles.docx': () =>
    makeDocx(wordParagraph('x'), { parts: { 'word/styles.xml': nested('w:style', 300_000) } }),
  'paragraphs.docx': () => makeDocx(wordParagraph('word').repeat(400_000)),
  'laughs.docx': () =>
    makeDocx('', {
      parts: {
        'word/document.xml': `<?xml version="1.0"?>${laughs}<w:document><w:body><w:p><w:r><w:t>&f29;</w:t></w:r></w:p></w:body></w:document>`,
      },
    }),
  'attributes.docx': () => makeDocx(`<w:p ${'a="b" '.repeat(2_000_000)}/>`),
  'unclosed.docx': () => makeDocx('<w:p><w:r><w:t>'.repeat(500_000)),
  'bomb.xlsx': () => workbook(`<worksheet><sheetData>${mib(60).toString()}</sheetData></worksheet>`),
  'bomb-cell.xlsx': () =>
    workbook(
      `<worksheet><sheetData><row><c t="inlineStr"><is><t>${mib(60).toString()}</t></is></c></row></sheetData></worksheet>`,
    ),
  'bomb-table.docx': () => makeDocx(wordTable([[mib(30).toString(), mib(30).toString()]])),
  'bomb-text.pptx': () =>
    slides(
      `<p:sld><p:sp><p:txBody><a:p><a:r><a:t>${mib(60).toString()}</a:t></a:r></a:p></p:txBody></p:sp></p:sld>`,
    ),
  'rows.xlsx': () =>
    workbook(`<worksheet><sheetData>${`<row>${cells(4)}</row>`.repeat(300_000)}</sheetData></worksheet>`),
  'wide.xlsx': () =>
    workbook(
      `<worksheet><sheetData><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>${'<row><c r="XFD1"><v>1</v></c></row>'.repeat(20_000)}</sheetData></worksheet>`,
    ),
  'column.xlsx': () =>
    workbook(
      '<worksheet><sheetData><row r="99999999999"><c r="ZZZZZZZZ9"><v>1</v></c></row></sheetData></worksheet>',
    ),
  'strings.xlsx': () =>
    workbook(
      `<worksheet><sheetData>${'<row><c t="s"><v>4999999</v></c></row>'.repeat(1_000)}</sheetData></worksheet>`,
      {
        'xl/sharedStrings.xml': `<sst>${'<si><t>x</t></si>'.repeat(1_500_000)}</sst>`,
      },
    ),
  'long-string.xlsx': () =>
    workbook(
      `<worksheet><sheetData>${'<row><c t="s"><v>0</v></c></row>'.repeat(50_000)}</sheetData></worksheet>`,
      {
        'xl/sharedStrings.xml': `<sst><si><t>${'y'.repeat(1 << 20)}</t></si></sst>`,
      },
    ),
  'deep.xlsx': () => workbook(nested('row', 300_000)),
  'deep.pptx': () => slides(nested('p:grpSp', 300_000)),
  'cycle.pptx': () =>
    slides('<p:sld><p:sp><p:txBody><a:p><a:r><a:t>again</a:t></a:r></a:p></p:txBody></p:sp></p:sld>', 30_000),
  'bomb.pptx': () => slides(`<p:sld><a:t>${mib(63).toString()}</a:t></p:sld>`),
  'deep.epub': () => makeEpub([nested('div', 300_000)]),
  'bomb.epub': () => makeEpub([`<p>${mib(60).toString()}</p>`]),
  'cycle.epub': () =>
    makeZip({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml': '<container><rootfiles><rootfile full-path="o.opf"/></rootfiles></container>',
      'o.opf': `<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine>${'<itemref idref="a"/>'.repeat(100_000)}</spine></package>`,
      'a.xhtml': `<html><body>${'<p>again</p>'.repeat(500)}</body></html>`,
    }),
  'self.epub': () =>
    makeZip({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml':
        '<container><rootfiles><rootfile full-path="META-INF/container.xml"/></rootfiles></container>',
    }),
  'deep.html': () => Buffer.from(nested('div', 400_000)),
  'deep-inline.html': () => Buffer.from(nested('b', 400_000)),
  'open.html': () => Buffer.from('<a <a '.repeat(2_000_000)),
  'tables.html': () => Buffer.from('<table><tr><td>'.repeat(200_000)),
  'attributes.html': () => Buffer.from(`<p ${'a=b '.repeat(3_000_000)}>x`),
  'entities.html': () => Buffer.from('&amp'.repeat(4_000_000)),
  'long.html': () => Buffer.from(`<p>${'word '.repeat(6_000_000)}`),
  'deep.ipynb': () => Buffer.from('['.repeat(4_000_000)),
  'deep-cells.ipynb': () => Buffer.from(`{"cells":${'[{"cells":'.repeat(200_000)}`),
  'cells.ipynb': () =>
    Buffer.from(
      JSON.stringify({
        nbformat: 4,
        cells: Array.from({ length: 200_000 }, (_, i) => ({ cell_type: 'markdown', source: [`cell ${i}`] })),
      }),
    ),
  'output.ipynb': () =>
    Buffer.from(
      JSON.stringify({
        nbformat: 4,
        cells: [
          {
            cell_type: 'code',
            source: 'x',
            outputs: [{ output_type: 'stream', text: 'y'.repeat(30 << 20) }],
          },
        ],
      }),
    ),
  'line.csv': () => mib(31, 'a,'),
  'quote.csv': () => Buffer.concat([Buffer.from('a,b\n1,"'), mib(31, 'x\n')]),
  'rows.csv': () => Buffer.from('a,b\n1,2\n'.repeat(3_000_000)),
  'pages.pdf': () => manyPages(10_000, 'BT /F1 12 Tf 72 720 Td (A page of words that say little) Tj ET'),
  'pages-100000.pdf': () => manyPages(100_000, 'BT ET'),
  'count.pdf': () => pdfOf([catalog, '<< /Type /Pages /Kids [] /Count 2000000000 >>']),
  'tree-cycle.pdf': () =>
    pdfOf([
      catalog,
      '<< /Type /Pages /Kids [2 0 R 3 0 R] /Count 9 >>',
      '<< /Type /Pages /Kids [2 0 R] /Count 9 /Parent 3 0 R >>',
    ]),
  'tree-deep.pdf': () =>
    pdfOf([
      catalog,
      ...Array.from(
        { length: 50_000 },
        (_, i) => `<< /Type /Pages /Kids [${i + 3} 0 R] /Count 1 /Parent ${i + 1} 0 R >>`,
      ),
      page(''),
    ]),
  'reference-cycle.pdf': () => onePage('/Contents 4 0 R /Resources 5 0 R', '5 0 R', '4 0 R'),
  'prev-cycle.pdf': () => {
    const body = `%PDF-1.4\n1 0 obj\n${catalog}\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n`
    return Buffer.from(
      `${body}xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 3 /Root 1 0 R /Prev ${body.length} >>\nstartxref\n${body.length}\n%%EOF\n`,
    )
  },
  'bomb.pdf': () => onePage('/Contents 4 0 R', packed(mib(500, ' '))),
  'bomb-twice.pdf': () =>
    onePage(
      '/Contents 4 0 R',
      stream(deflateSync(deflateSync(mib(500, ' '))), '/Filter [/FlateDecode /FlateDecode]'),
    ),
  'text.pdf': () =>
    onePage(
      '/Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >>',
      packed(Buffer.concat([Buffer.from('BT /F1 1 Tf '), mib(40, '(words) Tj ')])),
      font,
    ),
  'form-cycle.pdf': () =>
    onePage(
      '/Contents 4 0 R /Resources << /XObject << /F 5 0 R >> >>',
      stream(Buffer.from('/F Do')),
      stream(
        Buffer.from('/F Do /F Do'),
        '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /F 5 0 R >> >>',
      ),
    ),
  'form-tree.pdf': () =>
    onePage(
      '/Contents 4 0 R /Resources << /XObject << /F 5 0 R >> >>',
      stream(Buffer.from('/F Do')),
      ...Array.from({ length: 40 }, (_, i) =>
        stream(
          Buffer.from('/F Do /F Do'),
          `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /F ${i + 6} 0 R >> >>`,
        ),
      ),
    ),
  'array-deep.pdf': () => onePage(`/Annots ${'['.repeat(500_000)}`),
  'dictionary-deep.pdf': () => onePage(`/Resources ${'<</A '.repeat(500_000)}`),
  'string.pdf': () => onePage('/Contents 4 0 R', stream(Buffer.from('BT ('.padEnd(20 << 20, '(')))),
  'picture.pdf': () =>
    onePage(
      '/Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >>',
      stream(Buffer.from('/I Do')),
      packed(
        mib(100, '\0'),
        '/Type /XObject /Subtype /Image /Width 60000 /Height 60000 /BitsPerComponent 8 /ColorSpace /DeviceRGB',
      ),
    ),
  'pictures.pdf': () =>
    onePage(
      `/Contents 4 0 R /Resources << /XObject << ${Array.from({ length: 5_000 }, (_, i) => `/I${i} 5 0 R`).join(' ')} >> >>`,
      stream(Buffer.from(Array.from({ length: 5_000 }, (_, i) => `/I${i} Do`).join(' '))),
      packed(
        Buffer.alloc(3_000_000, 7),
        '/Type /XObject /Subtype /Image /Width 1000 /Height 1000 /BitsPerComponent 8 /ColorSpace /DeviceRGB',
      ),
    ),
  'length.pdf': () => onePage('/Contents 4 0 R', '<< /Length 999999999999 >>\nstream\nBT'),
  'encrypted.pdf': () =>
    pdfOf(
      [catalog, '<< /Type /Pages /Kids [] /Count 0 >>'],
      '/Encrypt << /Filter /Standard /V 5 /R 6 /O (x) /U (x) /P -1 >>',
    ),
  'empty.pdf': () => Buffer.from('%PDF-1.7\n'),
}
