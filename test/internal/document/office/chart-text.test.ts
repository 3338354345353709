// Charts of Word, Excel and PowerPoint files: each kind of chart with its numbers, formats and levels of categories.
import { expect, test } from 'vitest'
import { parseDocument } from '../../../../internal/document/document.ts'
import type { DocumentKind } from '../../../../internal/document/document-kind.ts'
import { makeDocx, makeZip } from '../../../support/zip.ts'

const relations = (id: string, type: string, target: string) =>
  `<Relationships><Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/></Relationships>`

/** A file of each kind with one chart. */
const files: Readonly<Record<string, (chart: string) => Buffer>> = {
  docx: (chart) =>
    makeDocx('<w:p><w:r><c:chart r:id="c"/></w:r></w:p>', {
      parts: {
        'word/_rels/document.xml.rels': relations('c', 'chart', 'charts/1.xml'),
        'word/charts/1.xml': chart,
      },
    }),
  xlsx: (chart) =>
    makeZip({
      'xl/workbook.xml': '<workbook><sheets><sheet name="Crew" r:id="a"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': relations('a', 'worksheet', 'worksheets/1.xml'),
      'xl/worksheets/1.xml': '<worksheet/>',
      'xl/worksheets/_rels/1.xml.rels': relations('d', 'drawing', '../drawings/1.xml'),
      'xl/drawings/1.xml': '<xdr:wsDr><c:chart r:id="c"/></xdr:wsDr>',
      'xl/drawings/_rels/1.xml.rels': relations('c', 'chart', '../charts/1.xml'),
      'xl/charts/1.xml': chart,
    }),
  pptx: (chart) =>
    makeZip({
      'ppt/presentation.xml':
        '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="a"/></p:sldIdLst></p:presentation>',
      'ppt/_rels/presentation.xml.rels': relations('a', 'slide', 'slides/1.xml'),
      'ppt/slides/1.xml': '<p:sld/>',
      'ppt/slides/_rels/1.xml.rels': relations('c', 'chart', '../charts/1.xml'),
      'ppt/charts/1.xml': chart,
    }),
}

const points = (...texts: (string | number)[]) =>
  texts.map((text, i) => `<c:pt idx="${i}"><c:v>${text}</c:v></c:pt>`).join('')
const numbers = (name: string, format: string, ...values: (string | number)[]) =>
  `<c:${name}><c:numRef><c:numCache><c:formatCode>${format}</c:formatCode>${points(...values)}</c:numCache></c:numRef></c:${name}>`
const words = (name: string, ...values: (string | number)[]) =>
  `<c:${name}><c:strRef><c:strCache>${points(...values)}</c:strCache></c:strRef></c:${name}>`
const named = (name: string, inner: string) => `<c:ser>${words('tx', name)}${inner}</c:ser>`
const levels =
  '<c:cat><c:multiLvlStrRef><c:multiLvlStrCache>' +
  `<c:lvl>${points('spring', 'fall', 'spring', 'fall')}</c:lvl>` +
  '<c:lvl><c:pt idx="0"><c:v>2023</c:v></c:pt><c:pt idx="2"><c:v>2024</c:v></c:pt></c:lvl>' +
  '</c:multiLvlStrCache></c:multiLvlStrRef></c:cat>'

const charts: readonly (readonly [name: string, series: string, rows: readonly string[]])[] = [
  [
    'words and numbers',
    named('Crew', words('cat', 'Gull', 'Tern') + numbers('val', 'General', 412, 31)),
    ['Gull: Crew: 412', 'Tern: Crew: 31'],
  ],
  [
    'labels of its author',
    named(
      'Crew',
      '<c:dLbls><c:dLbl><c:idx val="1"/><c:tx><c:rich><a:p><a:r><a:t>full </a:t></a:r><a:r><a:t>house</a:t></a:r></a:p></c:rich></c:tx></c:dLbl></c:dLbls>' +
        words('cat', 'Gull', 'Tern') +
        numbers('val', 'General', 412, 31),
    ),
    ['Gull: Crew: 412', 'Tern: Crew: 31 (full house)'],
  ],
  [
    'two series',
    named('Crew', words('cat', 'Gull') + numbers('val', 'General', 412)) +
      named('Tons', words('cat', 'Gull') + numbers('val', '0', 9)),
    ['Gull: Crew: 412; Tons: 9'],
  ],
  [
    'percent',
    named('Share', words('cat', 'Gull') + numbers('val', '0.0%', '2.5000000000000001E-2')),
    ['Gull: Share: 2.5%'],
  ],
  [
    'an amount',
    named('Cost', words('cat', 'Gull') + numbers('val', '#,##0\\ [$€-407]', 12)),
    ['Gull: Cost: 12 €'],
  ],
  [
    'dates as categories',
    named('Crew', numbers('cat', 'yyyy\\-mm\\-dd', 45292, 45293) + numbers('val', 'General', 4, 5)),
    ['2024-01-01: Crew: 4', '2024-01-02: Crew: 5'],
  ],
  [
    'levels of categories',
    named('Crew', levels + numbers('val', 'General', 1, 2, 3, 4)),
    ['2023, spring: Crew: 1', '2023, fall: Crew: 2', '2024, spring: Crew: 3', '2024, fall: Crew: 4'],
  ],
  [
    'points of two axes',
    named('Tide', numbers('xVal', 'General', 1.5) + numbers('yVal', 'General', 7)),
    ['1.5: Tide: 7'],
  ],
  [
    'bubbles',
    named(
      'Tide',
      numbers('xVal', 'General', 1) + numbers('yVal', 'General', 7) + numbers('bubbleSize', 'General', 30),
    ),
    ['1: Tide: 7 (size 30)'],
  ],
  [
    'error bars and a trend line',
    named(
      'Crew',
      `<c:trendline><c:name>Trend</c:name></c:trendline><c:errBars>${numbers('plus', 'General', 3)}<c:val val="5"/></c:errBars>` +
        words('cat', 'Gull') +
        numbers('val', 'General', 412),
    ),
    ['Gull: Crew: 412'],
  ],
  [
    'a series without a name',
    `<c:ser>${words('cat', 'Gull')}${numbers('val', 'General', 412)}</c:ser>`,
    ['Gull: series 1: 412'],
  ],
  [
    'numbers without categories',
    named('Crew', numbers('val', 'General', 4, 5)),
    ['1: Crew: 4', '2: Crew: 5'],
  ],
  [
    'Japanese names',
    named('乗員', words('cat', '東京') + numbers('val', 'General', 412)),
    ['東京: 乗員: 412'],
  ],
]

const rows = Object.keys(files).flatMap((kind) =>
  charts.map(([name, series, shown]) => ({ kind, name, series, shown })),
)

test.each(rows)('$kind: a chart with $name', async ({ kind, series, shown }) => {
  const chart = `<c:chartSpace><c:chart><c:title><a:p><a:r><a:t>Ferries</a:t></a:r></a:p></c:title>${series}</c:chart></c:chartSpace>`
  const bytes = files[kind]?.(chart) ?? Buffer.alloc(0)
  const found = await parseDocument(bytes, kind as DocumentKind, { signal: new AbortController().signal })
  if ('skipped' in found) throw new Error(found.skipped)
  const texts = found.blocks.map(({ text }) => text)
  expect(texts.slice(-shown.length)).toEqual(shown)
  expect(texts.at(-shown.length - 1)).toMatch(/^Chart(?: 1)?: Ferries$/)
})
