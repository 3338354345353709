// Spreadsheets and slides as files: their text, its order, and its positions.
import { expect, test } from 'vitest'
import { parseDocument } from '../../../../internal/document/document.ts'
import type { DocumentKind } from '../../../../internal/document/document-kind.ts'
import { makeZip } from '../../../support/zip.ts'

const read = async (kind: DocumentKind, parts: Record<string, string>) => {
  const found = await parseDocument(makeZip(parts), kind, { signal: new AbortController().signal })
  if ('skipped' in found) throw new Error(found.skipped)
  return found.blocks.map(({ place, text }) => `${place}: ${text}`)
}

const relations = (links: Record<string, [type: string, target: string]>) =>
  `<Relationships>${Object.entries(links)
    .map(([id, [type, target]]) => `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`

const sheet = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`

test('reads sheets in their order, and rows with the names of their columns', async () => {
  const blocks = await read('xlsx', {
    'xl/workbook.xml':
      '<workbook><sheets><sheet name="Later" r:id="b"/><sheet name="First" r:id="a"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relations({
      a: ['worksheet', 'worksheets/one.xml'],
      b: ['worksheet', '/xl/worksheets/two.xml'],
    }),
    'xl/sharedStrings.xml':
      '<sst><si><t>site</t></si><si><r><t>dep</t></r><rPh><t>x</t></rPh><r><t>th</t></r></si></sst>',
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="165" formatCode="yyyy\\-mm"/><numFmt numFmtId="166" formatCode="0.00"/></numFmts>' +
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="165"/><xf numFmtId="166"/></cellXfs></styleSheet>',
    'xl/worksheets/one.xml': sheet(
      '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c></row>' +
        '<row r="3"><c r="A3" t="inlineStr"><is><t>A3</t></is></c><c r="C3"><v>0.30000000000000004</v></c></row>',
    ),
    'xl/worksheets/two.xml': sheet(
      '<row><c s="1"><v>45292</v></c><c s="2"><v>1.5</v></c><c s="3"><v>7</v></c><c t="b"><v>1</v></c></row>',
    ),
  })
  expect(blocks).toEqual([
    'section 1: Later',
    'section 1, row 1: 2024-01-01 | 1900-01-01 12:00:00 | 7 | TRUE',
    'section 2: First',
    'section 2, row 2: site | depth',
    'section 2, row 3: site: A3; depth: 0.3',
  ])
})

const cell = (v: string | number | null, s = 0) =>
  v === null ? '<c/>' : typeof v === 'string' ? `<c t="str"><v>${v}</v></c>` : `<c s="${s}"><v>${v}</v></c>`
const rowAt = (n: number, ...cells: (string | number | null)[]) =>
  `<row r="${n}">${cells.map((one) => cell(one)).join('')}</row>`
const oneSheet = (rows: string, more: Record<string, string> = {}) =>
  read('xlsx', {
    'xl/workbook.xml': '<workbook><sheets><sheet name="S" r:id="a"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relations({ a: ['worksheet', 'worksheets/one.xml'] }),
    'xl/worksheets/one.xml': sheet(rows),
    ...more,
  })

test.each([
  ['0%', '2.5000000000000001E-2', '2.5%'],
  ['0.00%', '0.071', '7.1%'],
  ['"$"#,##0.00', '1234.5', '$1234.5'],
  ['#,##0.00\\ [$€-407]', '12', '12 €'],
  ['[$£-809]#,##0', '9', '£9'],
  ['h:mm', '0.26041666666666669', '06:15:00'],
  ['[h]:mm', '1.5', '36:00:00'],
  ['yyyy-mm-dd', '45292', '2024-01-01'],
  ['0.00', '7.0999999999999994E-2', '0.071'],
  ['General', '1E-7', '0.0000001'],
  ['General', '1.2345678901234567E+18', '1234567890120000000'],
  ['#,##0', '0.30000000000000004', '0.3'],
])('a number with the format %s', async (code, value, shown) => {
  const blocks = await oneSheet(`<row r="1">${cell('x')}<c s="1"><v>${value}</v></c></row>`, {
    'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="${code.replaceAll('"', '&quot;')}"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellXfs></styleSheet>`,
  })
  expect(blocks).toEqual(['section 1: S', `section 1, row 1: x | ${shown}`])
})

test.each([
  ['apart', rowAt(4, 'ship', 'crew') + rowAt(5, 'Gull', 412)],
  ['directly below', rowAt(3, 'ship', 'crew') + rowAt(4, 'Gull', 412)],
])('a second table %s has its own headings', async (_, second) => {
  const blocks = await oneSheet(rowAt(1, 'tower', 'height') + rowAt(2, 'North', 31) + second)
  expect(blocks.join('\n')).toContain('tower: North; height: 31')
  expect(blocks.join('\n')).toContain('ship: Gull; crew: 412')
})

test('separate rows without headings get no headings of another table', async () => {
  const blocks = await oneSheet(rowAt(1, 'tower', 'height') + rowAt(2, 'North', 31) + rowAt(9, 'Gull', 412))
  expect(blocks.at(-1)).toBe('section 1, row 9: Gull | 412')
})

test.each(['12 €', '-7 €', '-€ 7', 'CHF 12.50', '-R$ 3', '(12.5)', '₽ 9', '99 kg'])(
  'a row with %s is not a heading',
  async (amount) => {
    const blocks = await oneSheet(rowAt(1, 'Gull', amount) + rowAt(2, 'Tern', '412'))
    expect(blocks.slice(1)).toEqual([`section 1, row 1: Gull | ${amount}`, 'section 1, row 2: Tern | 412'])
  },
)

test('reads comments of cells', async () => {
  const blocks = await oneSheet(rowAt(1, 'a', 'b') + rowAt(2, 'c', 4), {
    'xl/worksheets/_rels/one.xml.rels': relations({ c: ['comments', '../comments1.xml'] }),
    'xl/comments1.xml':
      '<comments><commentList><comment ref="B2"><text><r><t>Ask Lin</t></r></text></comment></commentList></comments>',
  })
  expect(blocks.at(-1)).toBe('section 1, row 2: Comment at B2: Ask Lin')
})

test('reads slides in their order, with titles, tables and notes', async () => {
  const text = (words: string) => `<a:p><a:r><a:t>${words}</a:t></a:r></a:p>`
  const shape = (type: string, body: string) =>
    `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody>${body}</p:txBody></p:sp>`
  const row = (...cells: string[]) =>
    `<a:tr>${cells.map((one) => `<a:tc>${text(one)}</a:tc>`).join('')}</a:tr>`
  const blocks = await read('pptx', {
    'ppt/presentation.xml':
      '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="two"/><p:sldId id="257" r:id="one"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relations({
      one: ['slide', 'slides/slide1.xml'],
      two: ['slide', 'slides/slide2.xml'],
    }),
    'ppt/slides/slide1.xml': `<p:sld><a:tbl>${row('site', 'depth')}${row('A3', '4 m')}</a:tbl></p:sld>`,
    'ppt/slides/slide2.xml': `<p:sld>${shape('title', text('Results'))}${shape('body', text('a') + text('b'))}</p:sld>`,
    'ppt/slides/_rels/slide2.xml.rels': relations({ n: ['notesSlide', '../notesSlides/n.xml'] }),
    'ppt/notesSlides/n.xml': `<p:notes>${shape('body', text('say this'))}${shape('sldNum', text('2'))}</p:notes>`,
  })
  expect(blocks).toEqual([
    'page 1, paragraph 1: Results',
    'page 1, paragraph 2: a',
    'page 1, paragraph 3: b',
    'page 1, paragraph 4: Notes: say this',
    'page 2, paragraph 1: site | depth',
    'page 2, paragraph 2: site: A3; depth: 4 m',
  ])
})
