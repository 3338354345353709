// Headers and footers of OpenDocument files, and notes for rows and cells that are repeated too often.
import { expect, test } from 'vitest'
import { parseDocument } from '../../../../internal/document/document.ts'
import { makeZip } from '../../../support/zip.ts'

const p = (text: string) => `<text:p>${text}</text:p>`
const bodies = {
  odt: p('Text'),
  ods: `<table:table table:name="Crew"><table:table-row><table:table-cell>${p('Text')}</table:table-cell></table:table-row></table:table>`,
  odp: `<presentation:header-decl>Harbor day</presentation:header-decl><presentation:footer-decl>Arnis port</presentation:footer-decl><draw:page>${p('Text')}</draw:page>`,
}
const read = async (kind: keyof typeof bodies, styles: string, body = bodies[kind]) => {
  const content = `<office:document-content><office:body>${body}</office:body></office:document-content>`
  const master = `<office:document-styles>${p('not text')}<style:master-page>${styles}</style:master-page></office:document-styles>`
  const bytes = makeZip({ 'content.xml': content, 'styles.xml': master })
  const found = await parseDocument(bytes, kind, { signal: new AbortController().signal })
  if ('skipped' in found) throw new Error(found.skipped)
  return { texts: found.blocks.map(({ text }) => text), notes: found.notes ?? [] }
}
const page = '<text:page-number>1</text:page-number>'

test.each<[name: string, styles: string, lines: string[]]>([
  [
    'a header and a footer',
    `<style:header>${p('Harbor rules')}</style:header><style:footer>${p('of 2024, all')}</style:footer>`,
    ['Header: Harbor rules', 'Footer: of 2024, all'],
  ],
  [
    'the same one for left pages',
    `<style:header>${p('Harbor rules')}</style:header><style:header-left>${p('Harbor rules')}</style:header-left>`,
    ['Header: Harbor rules'],
  ],
  [
    'another one for the first page',
    `<style:header>${p('Harbor rules')}</style:header><style:header-first>${p('First of all')}</style:header-first>`,
    ['Header: Harbor rules', 'Header: First of all'],
  ],
  ['one that is not shown', `<style:header style:display="false">${p('Harbor rules')}</style:header>`, []],
  [
    'the number of the page',
    `<style:footer>${p(`Rules on page ${page}`)}</style:footer>`,
    ['Footer: Rules on page'],
  ],
  [
    'regions',
    `<style:header><style:region-left>${p('Harbor rules')}</style:region-left><style:region-right>${p('Arnis port')}</style:region-right></style:header>`,
    ['Header: Harbor rules', 'Header: Arnis port'],
  ],
])('%s', async (_, styles, lines) => {
  expect((await read('odt', styles)).texts).toEqual(['Text', ...lines])
  expect((await read('ods', styles)).texts).toEqual(['Crew', 'Text', ...lines])
})

test('does not show the default footer of a new sheet', async () => {
  const styles = `<style:header>${p('<text:sheet-name>???</text:sheet-name>')}</style:header><style:footer>${p(`Page ${page}`)}</style:footer>`
  expect((await read('ods', styles)).texts).toEqual(['Crew', 'Text'])
})

test('shows the header and footer of slides once', async () => {
  expect((await read('odp', '')).texts).toEqual(['Header: Harbor day', 'Footer: Arnis port', 'Text'])
})

test('lists an image in a header with its position', async () => {
  const { notes } = await read(
    'odt',
    `<style:header>${p('Rules<draw:frame><draw:image/></draw:frame>')}</style:header>`,
  )
  expect(notes).toEqual(['text in 1 picture is not read: a page header or footer'])
})

test.each([
  [999, 1, undefined],
  [1_000, 1, undefined],
  [1_001, 1, '1 row repeated more than 1,000 times: the rest is not shown: sheet “Crew”, A1'],
  [1, 1_001, 'cells right of the first 1,000 columns are not read in 1 row: sheet “Crew”'],
])('%d equal rows and %d equal cells', async (rows, cells, note) => {
  const body = `<table:table table:name="Crew"><table:table-row table:number-rows-repeated="${rows}"><table:table-cell table:number-columns-repeated="${cells}">${p('7')}</table:table-cell></table:table-row></table:table>`
  const { texts, notes } = await read('ods', '', body)
  expect(texts).toHaveLength(1 + Math.min(rows, 1_000))
  expect(notes).toHaveLength(note === undefined ? 0 : 1)
  expect(notes[0] ?? '').toContain(note ?? '')
})
