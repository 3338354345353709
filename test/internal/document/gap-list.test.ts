// Notes about unread parts: each kind of part in each file type, with the positions of one to five parts.
import { expect, test } from 'vitest'
import { parseDocument } from '../../../internal/document/document.ts'
import type { DocumentKind } from '../../../internal/document/document-kind.ts'
import { createGapList, listPlaces } from '../../../internal/document/gap-list.ts'
import { makeDocx, makeZip, wordParagraph } from '../../support/zip.ts'

const notesOf = async (kind: DocumentKind, bytes: Buffer) => {
  const found = await parseDocument(bytes, kind, { signal: new AbortController().signal })
  if ('skipped' in found) throw new Error(found.skipped)
  return found.notes ?? []
}

type Links = Record<string, [type: string, target: string]>
const relations = (links: Links) =>
  `<Relationships>${Object.entries(links)
    .map(([id, [type, target]]) => `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`
const range = (n: number) => Array.from({ length: n }, (_, i) => i + 1)
const counted = (n: number, one: string, many = `${one}s`) => `${n} ${n === 1 ? one : many}`

/** Files with `n` unread parts of one kind, each at a different position. */
interface Case {
  kind: DocumentKind
  gap: string
  make(n: number): Buffer
  /** Text before the positions. */
  says(n: number): string
  place(i: number): string
}

const linked = (type: string, extension: string, n: number): Links =>
  Object.fromEntries(range(n).map((i) => [`r${i}`, [type, `media/${type}${i}.${extension}`]]))

/** Returns relations to the parts of `n` charts, by ids that begin with `id`. */
const linkedCharts = (n: number, id: string): Links =>
  Object.fromEntries(range(n).map((i) => [`${id}${i}`, ['chart', `../charts/${i}.xml`]]))

/** Returns a file with each part in a separate paragraph, below a heading and between paragraphs of text. */
const word = (n: number, inner: (i: number) => string, links: Links): Buffer =>
  makeDocx(
    wordParagraph('Crew', 'berschrift1') +
      range(n)
        .map((i) => `${wordParagraph(`Text ${i}.`)}<w:p><w:r><w:t>Next</w:t>${inner(i)}</w:r></w:p>`)
        .join(''),
    {
      parts: {
        'word/_rels/document.xml.rels': relations(links),
        ...Object.fromEntries(Object.values(links).map(([, target]) => [`word/${target}`, 'x'])),
      },
    },
  )

const sheet = (n: number, body: string, drawing: string, links: Links): Buffer =>
  makeZip({
    'xl/workbook.xml': '<workbook><sheets><sheet name="Crew" r:id="a"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relations({ a: ['worksheet', 'worksheets/1.xml'] }),
    'xl/worksheets/1.xml': `<worksheet><sheetData><row r="1"><c t="str"><v>Gull</v></c></row>${body}</sheetData></worksheet>`,
    'xl/worksheets/_rels/1.xml.rels': relations({ d: ['drawing', '../drawings/1.xml'], ...links }),
    'xl/drawings/1.xml': `<xdr:wsDr>${drawing}</xdr:wsDr>`,
    'xl/drawings/_rels/1.xml.rels': relations({
      ...linked('image', 'png', n),
      ...(drawing.includes('c:chart') && linkedCharts(n, 'c')),
    }),
    ...Object.fromEntries(range(n).map((i) => [`xl/charts/${i}.xml`, '<c:chart/>'])),
  })
const anchored = (i: number, inner: string) =>
  `<xdr:twoCellAnchor><xdr:from><xdr:col>${i}</xdr:col><xdr:colOff>7</xdr:colOff><xdr:row>${i * 10}</xdr:row></xdr:from>` +
  `<xdr:to><xdr:col>90</xdr:col><xdr:row>90</xdr:row></xdr:to>${inner}</xdr:twoCellAnchor>`
const each = (n: number, one: (i: number) => string) => range(n).map(one).join('')
const cellOf = (i: number) => `sheet “Crew”, ${'ABCDEFGH'[i]}${i * 10 + 1}`

const slides = (n: number, inner: (i: number) => string, links: Links): Buffer =>
  makeZip({
    'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${each(2 * n, (i) => `<p:sldId id="${i}" r:id="s${i}"/>`)}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      Object.fromEntries(
        range(2 * n).map((i) => [`s${i}`, ['slide', `slides/${i}.xml`] as [string, string]]),
      ),
    ),
    ...Object.fromEntries(
      range(2 * n).flatMap((i) => [
        [
          `ppt/slides/${i}.xml`,
          `<p:sld><a:p><a:r><a:t>Slide ${i}</a:t></a:r></a:p>${i % 2 ? '' : inner(i / 2)}</p:sld>`,
        ],
        [
          `ppt/slides/_rels/${i}.xml.rels`,
          i % 2
            ? relations({})
            : relations(Object.fromEntries(Object.entries(links).filter(([id]) => id.endsWith(`${i / 2}`)))),
        ],
      ]),
    ),
    ...Object.fromEntries(range(n).map((i) => [`ppt/charts/${i}.xml`, '<c:chart/>'])),
  })

/** Returns `n` pages without text, each after a page with text. */
function pdf(n: number): Buffer {
  const kids = range(2 * n).map((i) => `${i + 3} 0 R`)
  const text = 'BT /F1 12 Tf 72 720 Td (A line of plain letters.) Tj ET'
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${2 * n} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...range(2 * n).map(
      (i) =>
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> ${i % 2 ? `/Contents ${2 * n + 4} 0 R` : ''} >>`,
    ),
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
  ]
  const body = objects.map((one, i) => `${i + 1} 0 obj\n${one}\nendobj\n`).join('')
  return Buffer.from(`%PDF-1.4\n${body}trailer\n<< /Root 1 0 R >>\n%%EOF\n`, 'latin1')
}

const pictures = (n: number) => `text in ${counted(n, 'picture')} is not read`
const files = (n: number) => `${counted(n, 'embedded file')} not read`
const media = (n: number) => `${counted(n, 'sound or video', 'sounds or videos')} not read`
const charts = (n: number) => `${counted(n, 'chart')} without numbers in the file`
const paragraphOf = (i: number) => `paragraph ${2 * i + 1} under “Crew”`
const slideOf = (i: number) => `slide ${2 * i}`

const cases: readonly Case[] = [
  {
    kind: 'docx',
    gap: 'picture',
    make: (n) =>
      word(n, (i) => `<w:drawing><a:blip r:embed="r${i}"/></w:drawing>`, linked('image', 'png', n)),
    says: pictures,
    place: paragraphOf,
  },
  {
    kind: 'docx',
    gap: 'picture of an old program',
    make: (n) => word(n, (i) => `<w:pict><v:imagedata r:id="r${i}"/></w:pict>`, linked('image', 'wmf', n)),
    says: pictures,
    place: paragraphOf,
  },
  {
    kind: 'docx',
    gap: 'picture with a second form',
    make: (n) =>
      word(
        n,
        (i) => `<a:blip r:embed="r${i}"><asvg:svgBlip r:embed="r${i}"/></a:blip>`,
        linked('image', 'png', n),
      ),
    says: pictures,
    place: paragraphOf,
  },
  {
    kind: 'docx',
    gap: 'embedded file',
    make: (n) => word(n, (i) => `<o:OLEObject ProgID="X" r:id="r${i}"/>`, linked('oleObject', 'bin', n)),
    says: files,
    place: paragraphOf,
  },
  {
    kind: 'docx',
    gap: 'letter of a symbol font',
    make: (n) => word(n, () => '<w:sym w:font="Webdings" w:char="F021"/>', {}),
    says: (n) => `${counted(n, 'letter')} of symbol fonts shown as \ufffd`,
    place: paragraphOf,
  },
  {
    kind: 'docx',
    gap: 'deletion',
    make: (n) => word(n, () => '<w:del><w:r><w:delText>gone</w:delText></w:r></w:del>', {}),
    says: (n) => `${counted(n, 'deletion')} of tracked changes left out`,
    place: paragraphOf,
  },
  {
    kind: 'docx',
    gap: 'chart',
    make: (n) => word(n, (i) => `<c:chart r:id="r${i}"/>`, linked('chart', 'xml', n)),
    says: charts,
    place: (i) => `Chart ${i}`,
  },
  {
    kind: 'xlsx',
    gap: 'picture',
    make: (n) =>
      sheet(
        n,
        '',
        each(n, (i) => anchored(i, `<a:blip r:embed="r${i}"/>`)),
        {},
      ),
    says: pictures,
    place: cellOf,
  },
  {
    kind: 'xlsx',
    gap: 'chart',
    make: (n) =>
      sheet(
        n,
        '',
        each(n, (i) => anchored(i, `<c:chart r:id="c${i}"/>`)),
        {},
      ),
    says: charts,
    place: cellOf,
  },
  {
    kind: 'xlsx',
    gap: 'embedded file',
    make: (n) =>
      sheet(
        n,
        `<oleObjects>${each(n, (i) => `<mc:AlternateContent><mc:Choice><oleObject r:id="r${i}"><objectPr><anchor><from><xdr:col>${i}</xdr:col><xdr:row>${i * 10}</xdr:row></from></anchor></objectPr></oleObject></mc:Choice><mc:Fallback><oleObject r:id="r${i}"/></mc:Fallback></mc:AlternateContent>`)}</oleObjects>`,
        '',
        linked('oleObject', 'bin', n),
      ),
    says: files,
    place: cellOf,
  },
  {
    kind: 'xlsx',
    gap: 'formula',
    make: (n) =>
      sheet(
        n,
        each(n, (i) => `<row r="${i + 1}"><c r="B${i + 1}"><f>A1*2</f></c></row>`),
        '',
        {},
      ),
    says: (n) => `${counted(n, 'formula')} without a stored value`,
    place: (i) => `sheet “Crew”, B${i + 1}`,
  },
  {
    kind: 'xlsx',
    gap: 'cells far to the right',
    make: (n) =>
      sheet(
        n,
        each(n, (i) => `<row r="${i + 1}"><c r="ALM${i + 1}"><v>7</v></c></row>`),
        '',
        {},
      ),
    says: (n) => `cells right of the first 1,000 columns are not read in ${counted(n, 'row')}`,
    place: (i) => `sheet “Crew”, row ${i + 1}`,
  },
  {
    kind: 'pptx',
    gap: 'picture',
    make: (n) => slides(n, (i) => `<p:pic><a:blip r:embed="r${i}"/></p:pic>`, linked('image', 'png', n)),
    says: pictures,
    place: slideOf,
  },
  {
    kind: 'pptx',
    gap: 'embedded file',
    make: (n) => slides(n, (i) => `<p:oleObj r:id="r${i}"/>`, linked('package', 'docx', n)),
    says: files,
    place: slideOf,
  },
  {
    kind: 'pptx',
    gap: 'video with its copy',
    make: (n) =>
      slides(n, (i) => `<a:videoFile r:link="r${i}"/><p14:media r:embed="m${i}"/>`, {
        ...linked('video', 'mp4', n),
        ...Object.fromEntries(
          range(n).map((i) => [`m${i}`, ['media', `media/video${i}.mp4`] as [string, string]]),
        ),
      }),
    says: media,
    place: slideOf,
  },
  {
    kind: 'pptx',
    gap: 'chart',
    make: (n) => slides(n, (i) => `<c:chart r:id="r${i}"/>`, linkedCharts(n, 'r')),
    says: charts,
    place: slideOf,
  },
]

const rows = cases.flatMap((one) => [1, 2, 3, 4, 5].map((n) => ({ ...one, n })))

test.each(rows)('$kind: $n of kind $gap', async ({ kind, make, says, place, n }) => {
  const places = range(n).map(place)
  expect(await notesOf(kind, make(n))).toEqual([`${says(n)}: ${listPlaces(places)}`])
})

test.each([1, 2, 3, 4, 5])('pdf: %i pages without text', async (n) => {
  const pages = listPlaces(range(n).map((i) => 2 * i))
  expect(await notesOf('pdf', pdf(n))).toEqual([
    `no text on ${n === 1 ? 'page' : 'pages'} ${pages}: blank or scanned`,
  ])
})

test('an image in a paragraph without text has the position after the previous paragraph', async () => {
  const picture = '<w:p><w:r><a:blip r:embed="r1"/></w:r></w:p>'
  const parts = { 'word/_rels/document.xml.rels': relations(linked('image', 'png', 1)) }
  const body = `${picture + wordParagraph('One.') + picture}<w:tbl><w:tr><w:tc>${picture}</w:tc></w:tr></w:tbl>`
  expect(await notesOf('docx', makeDocx(body, { parts }))).toEqual([
    'text in 3 pictures is not read: before the first paragraph, after paragraph 1',
  ])
})

test('lists a position with several parts once', () => {
  const gaps = createGapList()
  for (const place of ['slide 1', 'slide 1', 'slide 2', 'slide 3', 'slide 4']) gaps.add('picture', place)
  expect(gaps.notes()).toEqual(['text in 5 pictures is not read: slide 1, slide 2, slide 3 and 1 more'])
})
