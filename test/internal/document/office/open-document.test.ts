// OpenDocument texts, spreadsheets and presentations: text, tables, notes, and marks for what is not read.
import { expect, test } from 'vitest'
import { parseDocument } from '../../../../internal/document/document.ts'
import type { DocumentKind } from '../../../../internal/document/document-kind.ts'
import { makeZip } from '../../../support/zip.ts'

const read = async (kind: DocumentKind, body: string, parts: Record<string, string> = {}, styles = '') => {
  const content = `<office:document-content>${styles}<office:body>${body}</office:body></office:document-content>`
  const bytes = makeZip({ 'content.xml': content, ...parts })
  const found = await parseDocument(bytes, kind, { signal: new AbortController().signal })
  if ('skipped' in found) return { skipped: found.skipped, texts: [], notes: [] }
  return { texts: found.blocks.map(({ text }) => text), notes: found.notes ?? [], blocks: found.blocks }
}
const p = (text: string) => `<text:p>${text}</text:p>`
const cell = (text: string, attributes = '') =>
  `<table:table-cell ${attributes}>${text === '' ? '' : p(text)}</table:table-cell>`
const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`
const table = (...rows: string[]) => `<table:table table:name="Crew">${rows.join('')}</table:table>`

test.each<[name: string, body: string, texts: string[], notes: string[]]>([
  ['spaces and tabs', p('a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d'), ['a b c\nd'], []],
  ['a heading', `<text:h text:outline-level="2">Crew</text:h>${p('Gull')}`, ['Crew', 'Gull'], []],
  [
    'a footnote',
    p(
      'It sails<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>not in winter</text:p></text:note-body></text:note>.',
    ),
    ['It sails[^1].', '[^1] not in winter'],
    [],
  ],
  [
    'a comment',
    p(
      'Gull<office:annotation><dc:creator>Ida</dc:creator><dc:date>2024</dc:date><text:p>Sure?</text:p></office:annotation> sails',
    ),
    ['Gull sails', 'Comment by Ida: Sure?'],
    [],
  ],
  [
    'a table',
    table(row(cell('ship'), cell('crew')), row(cell('Gull'), cell('412'))),
    ['ship | crew', 'ship: Gull; crew: 412'],
    [],
  ],
  [
    'a table in a cell',
    table(row(`<table:table-cell>${table(row(cell('a'), cell('b')))}</table:table-cell>`, cell('c'))),
    ['a | b | c'],
    [],
  ],
  [
    'a picture',
    p('See <draw:frame><draw:image/><svg:desc>A harbor</svg:desc></draw:frame>'),
    ['See [picture: A harbor]'],
    ['text in 1 picture is not read: paragraph 1'],
  ],
  [
    'an embedded object',
    p('See <draw:frame><draw:object/></draw:frame>'),
    ['See [embedded object: not read]'],
    ['1 embedded file not read: paragraph 1'],
  ],
  [
    'deleted text',
    `<text:tracked-changes>${p('gone')}</text:tracked-changes>${p('new')}`,
    ['new'],
    ['1 deletion of tracked changes left out: outside of the text'],
  ],
  [
    'a reading',
    p(
      '<text:ruby><text:ruby-base>東京</text:ruby-base><text:ruby-text>とうきょう</text:ruby-text></text:ruby>',
    ),
    ['東京(とうきょう)'],
    [],
  ],
  ['letters of several scripts', p('창고 مرحبا שלום ไทย'), ['창고 مرحبا שלום ไทย'], []],
])('a text with %s', async (_, body, texts, notes) => {
  expect(await read('odt', body)).toMatchObject({ texts, notes })
})

test('a note lists numbered lists, whose numbers are not shown', async () => {
  const styles =
    '<text:list-style style:name="L1"><text:list-level-style-number style:num-format="1"/></text:list-style>' +
    '<text:list-style style:name="L2"><text:list-level-style-bullet/></text:list-style>'
  const item = (text: string) => `<text:list-item>${p(text)}</text:list-item>`
  const list = (style: string) => `<text:list text:style-name="${style}">${item('a')}${item('b')}</text:list>`
  const found = await read('odt', list('L1') + list('L2'), {}, styles)
  expect(found).toMatchObject({
    texts: ['a', 'b', 'a', 'b'],
    notes: ['2 numbers of lists not shown: paragraph 1, paragraph 2'],
  })
})

test('cells of a spreadsheet are shown as they are, with repeated and merged ones', async () => {
  const found = await read(
    'ods',
    table(
      row(cell('ship'), cell('share'), cell('day')),
      row(cell('Gull'), cell('2.5%', 'office:value="0.025"'), cell('1.2.24')),
      '<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>',
      row(cell('tower', 'table:number-columns-repeated="2"'), cell('x')),
    ),
  )
  expect(found.texts).toEqual([
    'Crew',
    'ship | share | day',
    'ship: Gull; share: 2.5%; day: 1.2.24',
    'tower | tower | x',
  ])
})

test('shows a comment of a cell with the name of the cell', async () => {
  const noted = `<table:table-cell><office:annotation>${p('Sure?')}</office:annotation>${p('412')}</table:table-cell>`
  const found = await read('ods', table(row(cell('ship'), cell('crew')), row(cell('Gull'), noted)))
  expect(found.texts).toEqual(['Crew', 'ship | crew', 'ship: Gull; crew: 412', 'Comment at B2: Sure?'])
})

test('shows the text and notes of slides with their slide numbers', async () => {
  const page = (text: string, notes: string) =>
    `<draw:page><draw:text-box>${p(text)}</draw:text-box><presentation:notes>${p(notes)}</presentation:notes></draw:page>`
  const found = await read(
    'odp',
    page('One', 'say this') + page('Two<draw:frame><draw:image/></draw:frame>', ''),
  )
  expect(found.blocks?.map(({ place, text }) => `${place}: ${text}`)).toEqual([
    'page 1, paragraph 1: One',
    'page 1, paragraph 2: Notes: say this',
    'page 2, paragraph 1: Two',
  ])
  expect(found.notes).toEqual(['text in 1 picture is not read: slide 2'])
})

test.each(['odt', 'ods', 'odp'] as const)(
  'rejects an %s file that is encrypted or has no content',
  async (kind) => {
    const key =
      '<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>'
    expect((await read(kind, p('x'), { 'META-INF/manifest.xml': key })).skipped).toBe('it is encrypted')
    const found = await parseDocument(makeZip({ a: 'b' }), kind, { signal: new AbortController().signal })
    expect(found).toEqual({ skipped: `it is not an ${kind.toUpperCase()} file: it has no content.xml` })
  },
)
