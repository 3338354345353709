// Parts of Office files next to their text: headers and footers, diagrams, text boxes, chart
// sheets, masters, images.
import { expect, test } from 'vitest'
import { parseDocument } from '../../../../internal/document/document.ts'
import type { DocumentKind } from '../../../../internal/document/document-kind.ts'
import { makeDocx, makeZip, wordParagraph } from '../../../support/zip.ts'

const read = async (kind: DocumentKind, bytes: Buffer) => {
  const found = await parseDocument(bytes, kind, { signal: new AbortController().signal })
  if ('skipped' in found) return { skipped: found.skipped }
  return { texts: found.blocks.map(({ text }) => text), notes: found.notes ?? [] }
}
const relations = (links: Record<string, [type: string, target: string]>) =>
  `<Relationships>${Object.entries(links)
    .map(([id, [type, target]]) => `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`
const drawn = (...texts: string[]) =>
  `<x>${texts.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join('')}</x>`

const word = (body: string, links: Record<string, [string, string]>, parts: Record<string, string>) =>
  read('docx', makeDocx(body, { parts: { 'word/_rels/document.xml.rels': relations(links), ...parts } }))

test('headers and footers of a Word file follow its text, each once', async () => {
  const head = (text: string) => `<w:hdr>${wordParagraph(text)}</w:hdr>`
  const found = await word(
    wordParagraph('Body.'),
    {
      a: ['header', 'header1.xml'],
      b: ['header', 'header2.xml'],
      c: ['header', 'header3.xml'],
      d: ['footer', 'footer1.xml'],
    },
    {
      'word/header1.xml': head('Confidential'),
      'word/header2.xml': head('Confidential'),
      'word/header3.xml': head('First page'),
      'word/footer1.xml': head('Harbour office, 412 places'),
    },
  )
  expect(found.texts).toEqual([
    'Body.',
    'Header: Confidential',
    'Header: First page',
    'Footer: Harbour office, 412 places',
  ])
})

test('a diagram has its position and its text', async () => {
  const found = await word(
    '<w:p><w:r><w:t>See </w:t><w:drawing><dgm:relIds r:dm="d"/></w:drawing></w:r></w:p>',
    { d: ['diagramData', 'diagrams/data1.xml'] },
    { 'word/diagrams/data1.xml': drawn('From here', 'to there') },
  )
  expect(found.texts).toEqual(['See [diagram 1]', 'Diagram 1', 'From here', 'to there'])
})

test('marks or notes the skipped parts of a Word file', async () => {
  const found = await word(
    wordParagraph('Kept.') +
      '<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r></w:ins></w:p>' +
      '<w:altChunk r:id="x"/>' +
      '<w:p><w:r><w:object><o:OLEObject ProgID="Excel.Sheet.12"/></w:object></w:r></w:p>',
    {},
    { 'word/media/image1.png': 'x', 'word/media/image2.emf': 'x', 'word/embeddings/oleObject1.bin': 'x' },
  )
  expect(found.texts).toEqual([
    'Kept.',
    'new',
    '[embedded document: not read]',
    '[embedded object: Excel.Sheet.12; not read]',
  ])
  expect(found.notes).toEqual([
    '1 deletion of tracked changes left out: paragraph 2',
    'text in 2 pictures is not read: outside of the text',
    '1 embedded file not read: outside of the text',
  ])
})

const workbook = (sheet: string, links: Record<string, [string, string]>, parts: Record<string, string>) =>
  read(
    'xlsx',
    makeZip({
      'xl/workbook.xml': '<workbook><sheets><sheet name="Crew" r:id="a" state="hidden"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': relations({ a: ['worksheet', 'worksheets/one.xml'] }),
      'xl/worksheets/one.xml': sheet,
      'xl/worksheets/_rels/one.xml.rels': relations(links),
      ...parts,
    }),
  )

test('reads text boxes and diagrams of a sheet without rows under its name', async () => {
  const found = await workbook(
    '<worksheet><sheetData/></worksheet>',
    { d: ['drawing', '../drawings/d1.xml'] },
    {
      'xl/drawings/d1.xml': drawn('A box'),
      'xl/drawings/_rels/d1.xml.rels': relations({ g: ['diagramData', '../diagrams/data1.xml'] }),
      'xl/diagrams/data1.xml': drawn('A step'),
    },
  )
  expect(found.texts).toEqual(['Crew (hidden sheet)', 'Text box: A box', 'Diagram: A step'])
})

test('reports a file that has only images', async () => {
  const found = await workbook('<worksheet><sheetData/></worksheet>', {}, { 'xl/media/image1.jpeg': 'x' })
  expect(found).toEqual({
    skipped: 'it contains no text (text in 1 picture is not read: outside of the text)',
  })
})

test('slides contain the text of their master once, without hints, and copies for older programs once', async () => {
  const shape = (text: string, inner = '') =>
    `<p:sp><p:nvPr>${inner}</p:nvPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`
  const slide = relations({ l: ['slideLayout', '../slideLayouts/l1.xml'] })
  const formula =
    '<mc:AlternateContent><mc:Choice><p:sp><p:txBody><a:p><a14:m><m:oMath><m:r><m:t>a=b</m:t></m:r></m:oMath></a14:m></a:p></p:txBody></p:sp></mc:Choice>' +
    '<mc:Fallback><p:sp><p:txBody><a:p><a:r><a:t>a=b</a:t></a:r></a:p></p:txBody></p:sp></mc:Fallback></mc:AlternateContent>'
  const found = await read(
    'pptx',
    makeZip({
      'ppt/presentation.xml':
        '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="a"/><p:sldId id="257" r:id="b"/></p:sldIdLst></p:presentation>',
      'ppt/_rels/presentation.xml.rels': relations({
        a: ['slide', 'slides/1.xml'],
        b: ['slide', 'slides/2.xml'],
      }),
      'ppt/slides/1.xml': shape('One') + formula,
      'ppt/slides/2.xml': shape('Two'),
      'ppt/slides/_rels/1.xml.rels': slide,
      'ppt/slides/_rels/2.xml.rels': slide,
      'ppt/slideLayouts/l1.xml':
        shape('Click to add a title', '<p:ph type="title"/>') + shape('Harbour office'),
    }),
  )
  expect(found.texts).toEqual(['One', 'a=b', 'Harbour office', 'Two'])
})
