// Number formats of spreadsheets: every cell shows the value that a user sees, with no digit rounded away.
import { expect, test } from 'vitest'
import { parseDocument } from '../../../../internal/document/document.ts'
import { makeZip } from '../../../support/zip.ts'

/** Returns the text of cells with these formats and values, read from one workbook. */
async function showCells(rows: readonly Row[]): Promise<string[]> {
  const escapeMarkup = (text: string) =>
    text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;')
  const formats = rows.map(({ code }, i) =>
    typeof code === 'number' ? '' : `<numFmt numFmtId="${200 + i}" formatCode="${escapeMarkup(code)}"/>`,
  )
  const styles = rows.map(({ code }, i) => `<xf numFmtId="${typeof code === 'number' ? code : 200 + i}"/>`)
  const cells = rows.map(({ value }, i) => {
    const label = '<c t="inlineStr"><is><t>r</t></is></c><c><v>5</v></c>'
    return `<row r="${i + 1}">${label}<c s="${i + 1}"><v>${value}</v></c></row>`
  })
  const bytes = makeZip({
    'xl/workbook.xml': '<workbook><sheets><sheet name="S" r:id="s"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="s" Type="http://x/worksheet" Target="worksheets/one.xml"/></Relationships>',
    'xl/worksheets/one.xml': `<worksheet><sheetData>${cells.join('')}</sheetData></worksheet>`,
    'xl/styles.xml': `<styleSheet><numFmts>${formats.join('')}</numFmts><cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs></styleSheet>`,
  })
  const found = await parseDocument(bytes, 'xlsx', { signal: new AbortController().signal })
  if ('skipped' in found) throw new Error(found.skipped)
  return found.blocks.slice(1).map(({ text }) => text.replace(/^r \| 5 ?\|? ?/, ''))
}

interface Row {
  /** A format code, or the number of a built-in format. */
  code: string | number
  value: string
  shown: string
}

const amounts = ['1234.5', '-1234.5', '12', '0', '0.1', '-7', '1E6', '2.5000000000000001E-2']
const digits: Readonly<Record<string, string>> = { '1E6': '1000000', '2.5000000000000001E-2': '0.025' }
const amount = (value: string, before: string, after: string) => {
  const bare = (digits[value] ?? value).replace(/^-/, '')
  return `${value.startsWith('-') ? '-' : ''}${before}${bare}${after}`
}

/** Currencies and units as programs of several countries write them. `N` is replaced by the digits. */
const affixes: [pattern: string, before: string, after: string][] = [
  ['"$"N', '$', ''],
  ['[$$-409]N', '$', ''],
  ['N\\ [$€-407]', '', ' €'],
  ['[$€-2]\\ N', '€ ', ''],
  ['[$£-809]N', '£', ''],
  ['[$¥-411]N', '¥', ''],
  ['[$R$-416]\\ N', 'R$ ', ''],
  ['[$CHF-807]\\ N', 'CHF ', ''],
  ['N\\ "kr"', '', ' kr'],
  ['N\\ "zł"', '', ' zł'],
  ['N\\ [$₽-419]', '', ' ₽'],
  ['[$₹-4009]\\ N', '₹ ', ''],
  ['_("$"* N_)', '$', ''],
  ['_-* N\\ "€"_-', '', ' €'],
  ['N" kg"', '', ' kg'],
  ['N\\ "m;s"', '', ' m;s'],
  ['N\\°', '', '°'],
  ['N"%"', '', '%'],
]
/** Format sections: sections for negative numbers, zero and text, colors and conditions change no value. */
const sections = [
  (code: string) => code,
  (code: string) => `${code};(${code})`,
  (code: string) => `${code};[Red]-${code};"-"`,
  (code: string) => `[Blue][>=100]${code};[Color10]${code};General;"text: "@`,
]
const currencies = affixes.flatMap(([pattern, before, after], i): Row[] =>
  sections.flatMap((wrap, j) =>
    [0, 1, 2].map((k) => {
      const value = amounts[(i + 3 * j + k) % amounts.length] as string
      const number = ['#,##0.00', '#,##0', '0.0#'][k] as string
      return { code: wrap(pattern.replace('N', number)), value, shown: amount(value, before, after) }
    }),
  ),
)

const dates: Row[] = [
  ...[
    'yyyy-mm-dd',
    'd/m/yy',
    'dd.mm.yyyy',
    '[$-407]d. mmmm yyyy',
    'm/d/yyyy;@',
    'yyyy"年"m"月"d"日"',
    '[$-411]ggge"年"m"月"d"日"',
    'mmm\\-yy',
    'dddd, mmmm dd',
    '[$-F800]dddd',
    'd mmm "at noon"',
    14,
    15,
    16,
    17,
    27,
    28,
    31,
    36,
    50,
    57,
    58,
    71,
  ],
].map((code) => ({ code, value: '45292', shown: '2024-01-01' }))
const times: Row[] = [
  ...[
    'h:mm',
    'hh:mm:ss',
    'h:mm AM/PM',
    '[$-409]h:mm:ss AM/PM',
    'h"時"mm"分"',
    'mm:ss.0',
    'h:mm:ss.000',
    'ss,00',
    18,
    19,
    20,
    21,
    32,
    45,
    47,
  ].map((code) => ({ code, value: '0.26041666666666669', shown: '06:15:00' })),
  ...['yyyy-mm-dd hh:mm', 'd.m.yy h:mm;@', 22].map((code) => ({
    code,
    value: '45292.75',
    shown: '2024-01-01 18:00:00',
  })),
]
const elapsed: Row[] = [
  ...['[h]:mm', '[hh]:mm:ss', '[h]:mm;[Red]-[h]:mm', '[HH]"h"', 46].map((code) => ({
    code,
    value: '1.5',
    shown: '36:00:00',
  })),
  ...['[m]:ss', '[mm]:ss.0'].map((code) => ({ code, value: '1.5', shown: '2160:00' })),
  { code: '[s]', value: '0.5', shown: '43200' },
  { code: '[h]:mm', value: '-0.25', shown: '-06:00:00' },
]
const percents: Row[] = ['0%', '0.00%', '0%;[Red]-0%', '#,##0.0\\ %', '0.0%" of all"', 9, 10].flatMap(
  (code) => [
    { code, value: '2.5000000000000001E-2', shown: '2.5%' },
    { code, value: '-1', shown: '-100%' },
  ],
)
const others: Row[] = [
  ...[
    '# ?/?',
    '#\\ ??/??',
    '0.00E+00',
    '##0.0E+0',
    'General',
    '@',
    '000000',
    '#,##0',
    '0.0,',
    '(0)',
    '0;0;0',
    ';;;',
    0,
    1,
    4,
    11,
    12,
    37,
    48,
  ].map((code) => ({ code, value: '1234.5', shown: '1234.5' })),
  { code: '0.0,"k"', value: '1234567', shown: '1234.567k' },
  { code: '"$"0.0,,"M"', value: '1234567', shown: '$1.234567M' },
  { code: '[$€-2] #,##0,', value: '-2500', shown: '-€ 2.5' },
  { code: '(000) 000-0000', value: '5551234567', shown: '5551234567' },
  { code: '000"-"00"-"0000', value: '123456789', shown: '123456789' },
  { code: '#,##0" items";"semi;colon"', value: '412', shown: '412 items' },
]

test.each([
  ['currencies and units', currencies],
  ['dates', dates],
  ['times', times],
  ['elapsed times', elapsed],
  ['percentages', percents],
  ['other formats', others],
])('%s', async (_, rows) => {
  const shown = await showCells(rows)
  expect(rows.map(({ code, value }, i) => `${code} of ${value}: ${shown[i]}`)).toEqual(
    rows.map((row) => `${row.code} of ${row.value}: ${row.shown}`),
  )
})
