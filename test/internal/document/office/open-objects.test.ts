// Objects in OpenDocument files: formulas within their sentence, charts and sheets below it, in each kind of file.
import { describe, expect, test } from 'vitest'
import { parseDocument } from '../../../../internal/document/document.ts'
import { makeZip } from '../../../support/zip.ts'

type Kind = 'odt' | 'ods' | 'odp'
const frame =
  '<draw:frame><draw:object xlink:href="./Object 1"/><draw:image xlink:href="./ObjectReplacements/Object 1"/></draw:frame>'
const p = (text: string) => `<text:p>${text}</text:p>`
const bodies: Readonly<Record<Kind, string>> = {
  odt: p(`Load is ${frame} here.`),
  ods: `<table:table table:name="Crew"><table:shapes>${frame}</table:shapes><table:table-row><table:table-cell>${p('Load')}</table:table-cell></table:table-row></table:table>`,
  odp: `<draw:page>${frame}<draw:text-box>${p('Load')}</draw:text-box></draw:page>`,
}
async function read(kind: Kind, object: string, body = bodies[kind]) {
  const content = `<office:document-content><office:body>${body}</office:body></office:document-content>`
  const bytes = makeZip({ 'content.xml': content, 'Object 1/content.xml': object })
  const found = await parseDocument(bytes, kind, { signal: new AbortController().signal })
  if ('skipped' in found) throw new Error(found.skipped)
  return { texts: found.blocks.map(({ text }) => text), notes: found.notes ?? [] }
}

const token = (name: string, text: string) => `<mi>${text}</mi>`.replaceAll('mi', name)
const [x, two, n] = [token('mi', 'x'), token('mn', '2'), token('mi', 'n')]
const formulas: readonly (readonly [xml: string, line: string])[] = [
  [
    `${token('mi', 'F')}${token('mo', '=')}${token('mi', 'm')}${token('mo', '·')}${token('mn', '417')}`,
    'F=m·417',
  ],
  [`<mfrac><mrow>${x}${token('mo', '+')}${n}</mrow>${two}</mfrac>`, '(x+n)/(2)'],
  [`<msup>${x}${two}</msup>`, 'x^2'],
  [`<msub>${x}${n}</msub>`, 'x_n'],
  [`<msubsup>${x}${n}${two}</msubsup>`, 'x_n^2'],
  [`<msqrt>${x}</msqrt>`, '√(x)'],
  [`<munderover>${token('mo', '∑')}${n}${two}</munderover>`, '∑_n^2'],
  [`<mtable><mtr><mtd>${x}</mtd><mtd>${two}</mtd></mtr><mtr><mtd>${n}</mtd></mtr></mtable>`, 'x, 2; n'],
  [`<semantics><mrow>${x}</mrow><annotation encoding="StarMath 5.0">x over y</annotation></semantics>`, 'x'],
]
const prefixed = (xml: string) => xml.replace(/<(\/?)(?=m)/g, '<$1math:')

describe.each(formulas)('the formula %s', (xml, line) => {
  test.each([
    ['math', xml],
    ['math:math', prefixed(xml)],
  ])('in a sentence, with %s', async (name, inner) => {
    const found = await read('odt', `<${name}>${inner}</${name}>`)
    expect(found).toEqual({ texts: [`Load is ${line} here.`], notes: [] })
  })
  test.each(['ods', 'odp'] as const)('outside of a sentence in an %s file', async (kind) => {
    expect((await read(kind, `<math>${xml}</math>`)).texts).toContain(line)
  })
})

const cell = (text: string, attributes = '') =>
  `<table:table-cell ${attributes}>${p(text)}</table:table-cell>`
const chart = (titles: string, ...rows: string[][]) =>
  `<office:document-content><office:body><office:chart><chart:chart>${titles}<table:table table:name="local-table">${rows
    .map((cells) => `<table:table-row>${cells.map((text) => cell(text)).join('')}</table:table-row>`)
    .join('')}</table:table></chart:chart></office:chart></office:body></office:document-content>`
const title = (text: string) => `<chart:title>${p(text)}</chart:title>`

const charts: readonly (readonly [name: string, xml: string, lines: string[], notes: boolean])[] = [
  [
    'a title and two series',
    chart(title('Ferries'), ['', 'Crew', 'Share'], ['Gull', '412', '2.5%'], ['Tern', '31', '']),
    ['Chart: Ferries', 'Gull: Crew: 412; Share: 2.5%', 'Tern: Crew: 31'],
    false,
  ],
  [
    'a subtitle and titles of axes',
    chart(
      `${title('Ferries')}<chart:subtitle>${p('2024')}</chart:subtitle><chart:axis>${title('Harbor')}</chart:axis>`,
      ['', 'Crew'],
      ['Gull', '412'],
    ),
    ['Chart: Ferries 2024 Harbor', 'Gull: Crew: 412'],
    false,
  ],
  ['no names', chart('', ['', ''], ['', '7']), ['Chart', '1: series 1: 7'], false],
  [
    'missing numbers',
    chart(title('Ferries'), ['', 'Crew'], ['Gull', '1.#NAN']),
    ['Chart: Ferries', 'Gull:'],
    false,
  ],
  ['no table', chart(title('Ferries')), ['Chart: Ferries'], true],
]
describe.each(['odt', 'ods', 'odp'] as const)('%s', (kind) => {
  test.each(charts)('a chart with %s', async (_, xml, lines, isNoted) => {
    const { texts, notes } = await read(kind, xml)
    expect(texts.join('\n')).toContain(lines.join('\n'))
    expect(notes.some((note) => note.startsWith('1 chart without numbers in the file'))).toBe(isNoted)
  })

  test('shows the rows of an embedded sheet below the text', async () => {
    const sheet = `<office:document-content><office:body><office:spreadsheet><table:table table:name="Tides"><table:table-row>${cell('port')}${cell('hour')}</table:table-row><table:table-row>${cell('Arnis')}${cell('06:15')}</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>`
    expect((await read(kind, sheet)).texts.join('\n')).toContain(
      'Tides\nport | hour\nport: Arnis; hour: 06:15',
    )
  })

  test('adds a note for an embedded object of another kind', async () => {
    const { notes } = await read(
      kind,
      '<office:document-content><office:body><office:drawing/></office:body></office:document-content>',
    )
    expect(notes.some((note) => note.startsWith('1 embedded file not read'))).toBe(true)
  })
})
