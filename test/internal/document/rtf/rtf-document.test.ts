// RTF files: letters of every code page, text of each kind of group, tables, and notes for what is not read.
import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { parseDocument } from '../../../../internal/document/document.ts'

const read = async (source: string | Buffer) => {
  const bytes = typeof source === 'string' ? Buffer.from(source, 'latin1') : source
  const found = await parseDocument(bytes, 'rtf', { signal: new AbortController().signal })
  if ('skipped' in found) return { skipped: found.skipped, texts: [], notes: [], title: undefined }
  const texts = found.blocks.map(({ text }) => text)
  return { texts, notes: found.notes ?? [], title: found.title, skipped: undefined }
}
const file = (body: string, head = '\\ansicpg1252') => `{\\rtf1\\ansi${head} ${body}}`
const escaped = (bytes: Buffer) =>
  [...bytes].map((byte) => `\\'${byte.toString(16).padStart(2, '0')}`).join('')
const plain = (bytes: Buffer) => bytes.toString('latin1').replace(/[\\{}]/g, '\\$&')
const unicode = (text: string, repeat: string) =>
  Array.from(
    { length: text.length },
    (_, i) => `\\u${((text.charCodeAt(i) + 32_768) % 65_536) - 32_768} ${repeat}`,
  ).join('')

const pages: readonly (readonly [page: number, charset: number, iconv: string, text: string])[] = [
  [1250, 238, 'CP1250', 'Łódź żółty Kraków'],
  [1251, 204, 'CP1251', 'Анадырь, 412 человек'],
  [1252, 0, 'CP1252', 'Größe “Œuvre” préférée'],
  [1253, 161, 'CP1253', 'Λιμάνι του Πειραιά'],
  [1254, 162, 'CP1254', 'İstanbul iskelesi ığüş'],
  [1255, 177, 'CP1255', 'הנמל פתוח'],
  [1256, 178, 'CP1256', 'الميناء مفتوح'],
  [1257, 186, 'CP1257', 'Rīgas osta šķūnis'],
  [874, 222, 'CP874', 'ท่าเรือเปิด'],
  [932, 128, 'CP932', 'フェリーは毎日ソ表'],
  [936, 134, 'GBK', '客船每天出发'],
  [949, 129, 'CP949', '창고의 정원은'],
  [950, 136, 'BIG5', '客船每天功蓋'],
]
describe.each(pages)('code page %d', (page, charset, name, text) => {
  const bytes = execFileSync('iconv', ['-f', 'UTF-8', '-t', name], { input: text })
  test.each([
    ['of the file', file(`${escaped(bytes)}\\par`, `\\ansicpg${page}`)],
    ['of the file, unescaped', file(`${plain(bytes)}\\par`, `\\ansicpg${page}`)],
    [
      'of a font',
      file(`{\\fonttbl{\\f0\\fcharset0 A;}{\\f7\\fcharset${charset} B;}}{\\f7 ${escaped(bytes)}}\\par`),
    ],
    ['in Unicode with its repeats', file(`\\uc1 ${unicode(text, '?')}\\par`)],
    ['in Unicode with escaped repeats', file(`\\uc2 ${unicode(text, "\\'3f\\'3f")}\\par`)],
    ['in Unicode alone', file(`{\\uc0 ${unicode(text, '')}}\\par`)],
  ])('%s', async (way, source) => {
    // the charset of a Western font is the one of the file
    expect(
      await read(way === 'of a font' && charset === 0 ? file(`${escaped(bytes)}\\par`) : source),
    ).toMatchObject({
      texts: [text],
      notes: [],
    })
  })
})

test.each<[name: string, body: string, texts: string[], notes: string[]]>([
  ['paragraphs and line breaks', 'One\\par Two\\line three\\\nFour', ['One', 'Two\nthree', 'Four'], []],
  ['signs by name', '\\ldblquote Gull\\rdblquote\\emdash 412\\~men\\{\\}\\\\', ['“Gull”—412 men{}\\'], []],
  ['a heading', '{\\pard\\outlinelevel0 Crew\\par}\\pard Gull\\par', ['Crew', 'Gull'], []],
  ['a numbered list', '{\\pntext 1.\\tab}One\\par{\\listtext 2.\\tab}Two\\par', ['1. One', '2. Two'], []],
  ['a footnote', 'It sails{\\footnote not in winter}.\\par', ['It sails[^1].', '[^1] not in winter'], []],
  [
    'a comment',
    'Gull{\\*\\atnid I}{\\*\\atnauthor Ida}{\\*\\annotation Sure?}\\par',
    ['Gull', 'Comment by Ida: Sure?'],
    [],
  ],
  [
    'a header',
    '{\\header Harbor\\par}{\\headerf Harbor\\par}{\\footerr Rules}Text\\par',
    ['Text', 'Header: Harbor', 'Footer: Rules'],
    [],
  ],
  ['a field', '{\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt the port}}\\par', ['the port'], []],
  [
    'a text box',
    'A{\\shp{\\*\\shpinst{\\sp{\\sn x}{\\sv 7}}{\\shptxt in a box\\par}}{\\shprslt in a box}}\\par',
    ['A', 'Text box: in a box'],
    [],
  ],
  [
    'the same text twice for old programs',
    '{\\upr{Gr??e}{\\*\\ud{Gr\\u246 ?\\u223 ?e}}}\\par',
    ['Größe'],
    [],
  ],
  [
    'styles, colors and unknown groups',
    '{\\stylesheet{\\s1 Style;}}{\\colortbl;\\red0;}{\\*\\unknown gone}Text',
    ['Text'],
    [],
  ],
  ['hidden text', 'a{\\v secret}b\\v0 c', ['abc'], []],
  [
    'a table',
    '\\intbl ship\\cell crew\\cell\\row\\intbl Gull\\cell 412\\par men\\cell\\row\\pard End\\par',
    ['ship | crew', 'ship: Gull; crew: 412 men', 'End'],
    [],
  ],
  [
    'a picture',
    'See {\\pict\\pngblip 89504e47}\\par',
    ['See'],
    ['text in 1 picture is not read: paragraph 1'],
  ],
  [
    'a picture in two forms',
    '{\\*\\shppict{\\pict 00}}{\\nonshppict{\\pict 00}}See\\par',
    ['See'],
    ['text in 1 picture is not read: paragraph 1'],
  ],
  [
    'binary bytes',
    'See {\\pict\\bin6 {\\}}x}}\\par on',
    ['See', 'on'],
    ['text in 1 picture is not read: paragraph 1'],
  ],
  [
    'an object',
    '{\\object{\\*\\objdata 0105}{\\result shown}}\\par',
    ['shown'],
    ['1 embedded file not read: paragraph 1'],
  ],
  [
    'a formula',
    'Load {\\mmath{\\*\\moMath{\\mr F=m}}{\\mmathPict x}}\\par',
    ['Load [formula: not read]'],
    ['1 formula not read: paragraph 1'],
  ],
  [
    'deleted text',
    'a{\\deleted gone}b\\par',
    ['ab'],
    ['1 deletion of tracked changes left out: paragraph 1'],
  ],
  [
    'symbols',
    "{\\fonttbl{\\f1\\fcharset2 Symbol;}{\\f2\\fcharset2 Marks;}}{\\f1 a\\'b7\\u-3998 ?}{\\f2 q}",
    ['α•β\ufffd'],
    ['1 letter of symbol fonts shown as \ufffd: paragraph 1'],
  ],
  [
    'letters of an unknown code page',
    "\\pc caf\\'82",
    ['caf\ufffd'],
    ['1 letter of an unknown code page shown as \ufffd: paragraph 1'],
  ],
  ['a group that does not end', '{\\b Text {\\i more', ['Text more'], []],
])('%s', async (_, body, texts, notes) => {
  expect(await read(file(body))).toMatchObject({ texts, notes })
})

test('reads the title', async () => {
  expect((await read(file('{\\info{\\title Harbor rules}{\\author Ida}}Text'))).title).toBe('Harbor rules')
})

test.each([
  ['{"a": 1}', 'it is not an RTF file'],
  ['{\\rtf1 }', 'it contains no text'],
  ['{\\rtf1 {\\pict 00}}', 'it contains no text (text in 1 picture is not read: paragraph 1)'],
])('%s is refused', async (source, why) => {
  expect((await read(source)).skipped).toBe(why)
})

test('a truncated file is never rejected and gives no wrong letter', async () => {
  const source = file(
    `{\\fonttbl{\\f1\\fcharset204 A;}}{\\f1 ${escaped(Buffer.from([0xc0, 0xe4]))}}\\intbl a\\cell\\row{\\footnote b}`,
  )
  for (let end = 6; end < source.length; end++) {
    const { texts } = await read(source.slice(0, end))
    expect(texts.join('')).toMatch(/^[Ад0-9a-f'[\]^|:\s\\]*$/)
  }
})
