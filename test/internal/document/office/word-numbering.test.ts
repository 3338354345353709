// Numbers of lists and clauses of Word files, for every format and way of restarting.
import { expect, test } from 'vitest'
import { parseDocument } from '../../../../internal/document/document.ts'
import { makeDocx } from '../../../support/zip.ts'

interface Level {
  format?: string
  text: string
  start?: number
  more?: string
}

const levelXml = ({ format = 'decimal', text, start = 1, more = '' }: Level, at: number) =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`
const numbering = (
  levels: readonly Level[],
  nums = '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>',
) =>
  `<w:numbering><w:abstractNum w:abstractNumId="0">${levels.map(levelXml).join('')}</w:abstractNum>${nums}</w:numbering>`
const item = (text: string, level = 0, list = 1) =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
const plain = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`

async function textsOf(body: string, parts: Record<string, string>) {
  const read = await parseDocument(makeDocx(body, { parts }), 'docx', {
    signal: new AbortController().signal,
  })
  if ('skipped' in read) throw new Error(read.skipped)
  return read.blocks.map(({ text }) => text)
}

/** Texts of the first three numbers, the ninth, and two high ones. */
const formats: Readonly<Record<string, readonly string[]>> = {
  decimal: ['1', '2', '3', '9', '27', '40'],
  decimalZero: ['01', '02', '03', '09', '27', '40'],
  lowerLetter: ['a', 'b', 'c', 'i', 'aa', 'nn'],
  upperLetter: ['A', 'B', 'C', 'I', 'AA', 'NN'],
  lowerRoman: ['i', 'ii', 'iii', 'ix', 'xxvii', 'xl'],
  upperRoman: ['I', 'II', 'III', 'IX', 'XXVII', 'XL'],
  ordinal: ['1st', '2nd', '3rd', '9th', '27th', '40th'],
  chineseCounting: ['一', '二', '三', '九', '二十七', '四十'],
  japaneseCounting: ['一', '二', '三', '九', '二十七', '四十'],
  koreanCounting: ['일', '이', '삼', '구', '이십칠', '사십'],
  chineseLegalSimplified: ['壹', '贰', '叁', '玖', '贰拾柒', '肆拾'],
  ideographDigital: ['一', '二', '三', '九', '二七', '四〇'],
  ideographTraditional: ['甲', '乙', '丙', '壬', '庚庚庚', '癸癸癸癸'],
  ganada: ['가', '나', '다', '자', '파파', '타타타'],
  decimalFullWidth: ['１', '２', '３', '９', '２７', '４０'],
  decimalEnclosedCircle: ['①', '②', '③', '⑨', '27', '40'],
  hindiNumbers: ['१', '२', '३', '९', '२७', '४०'],
  thaiNumbers: ['๑', '๒', '๓', '๙', '๒๗', '๔๐'],
  russianLower: ['а', 'б', 'в', 'и', 'э', 'лл'],
  cardinalText: ['One', 'Two', 'Three', 'Nine', 'Twenty-seven', 'Forty'],
  ordinalText: ['First', 'Second', 'Third', 'Ninth', 'Twenty-seventh', 'Fortieth'],
  someFutureFormat: ['1', '2', '3', '9', '27', '40'],
}
const frames = ['%1.', '(%1)', '%1)', 'Article %1', '§ %1']

test.each(Object.keys(formats).flatMap((format) => frames.map((frame) => [format, frame] as const)))(
  '%s as %s',
  async (format, frame) => {
    const body = Array.from({ length: 40 }, (_, i) => item(`text ${i}`)).join('')
    const texts = await textsOf(body, { 'word/numbering.xml': numbering([{ format, text: frame }]) })
    const want = [0, 1, 2, 8, 26, 39].map(
      (at, i) => `${frame.replace('%1', formats[format]?.[i] ?? '')} text ${at}`,
    )
    expect([0, 1, 2, 8, 26, 39].map((at) => texts[at])).toEqual(want)
  },
)

const clauses: Level[] = [{ text: '%1.' }, { text: '%1.%2' }, { format: 'lowerLetter', text: '(%3)' }]

test('inner levels restart after outer ones, and bullets have no number', async () => {
  const body =
    item('scope') +
    item('terms', 1) +
    item('first', 2) +
    item('second', 2) +
    item('fees', 1) +
    item('third', 2) +
    plain('between') +
    item('end') +
    item('law', 1)
  expect(await textsOf(body, { 'word/numbering.xml': numbering(clauses) })).toEqual([
    '1. scope',
    '1.1 terms',
    '(a) first',
    '(b) second',
    '1.2 fees',
    '(a) third',
    'between',
    '2. end',
    '2.1 law',
  ])
  const bullet = numbering([{ format: 'bullet', text: '\uf0b7' }])
  expect(await textsOf(item('one') + item('two'), { 'word/numbering.xml': bullet })).toEqual([
    '• one',
    '• two',
  ])
})

test.each([
  ['continues in another list of the same definition', '', ['1. a', '2. b']],
  [
    'restarts where the list says so',
    '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>',
    ['1. a', '1. b'],
  ],
  [
    'starts elsewhere',
    '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride>',
    ['1. a', '7. b'],
  ],
  [
    'has a level of another form',
    `<w:lvlOverride w:ilvl="0">${levelXml({ format: 'upperRoman', text: '%1)' }, 0)}</w:lvlOverride>`,
    ['1. a', 'II) b'],
  ],
])('%s', async (_, override, want) => {
  const nums = `<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="0"/>${override}</w:num>`
  const parts = { 'word/numbering.xml': numbering([{ text: '%1.' }], nums) }
  expect(await textsOf(item('a') + item('b', 0, 2), parts)).toEqual(want)
})

test('applies legal numbers, no restart, a start value, and a list that is switched off', async () => {
  const levels: Level[] = [
    { format: 'upperRoman', text: 'Article %1' },
    { text: 'Section %1.%2', start: 5, more: '<w:isLgl/>' },
    { text: '%3.', more: '<w:lvlRestart w:val="0"/>' },
  ]
  const body =
    item('a') + item('b', 1) + item('c', 2) + item('d') + item('e', 1) + item('f', 2) + item('g', 0, 0)
  expect(await textsOf(body, { 'word/numbering.xml': numbering(levels) })).toEqual([
    'Article I a',
    'Section 1.5 b',
    '1. c',
    'Article II d',
    'Section 2.5 e',
    '2. f',
    'g',
  ])
})

test('applies the list of a style, also of the style that it is based on', async () => {
  const styles =
    '<w:styles><w:style w:styleId="Clause"><w:name w:val="Clause"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>' +
    '<w:style w:styleId="Inner"><w:basedOn w:val="Clause"/><w:pPr><w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr></w:style></w:styles>'
  const styled = (text: string, id: string) =>
    `<w:p><w:pPr><w:pStyle w:val="${id}"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
  const body =
    styled('one', 'Clause') + styled('two', 'Inner') + styled('three', 'Inner') + styled('four', 'Clause')
  const parts = { 'word/numbering.xml': numbering(clauses), 'word/styles.xml': styles }
  expect(await textsOf(body, parts)).toEqual(['1. one', '1.1 two', '1.2 three', '2. four'])
})

test('lists footnotes, comments, charts and images', async () => {
  const chart =
    '<c:chartSpace><c:chart><c:title><a:p><a:r><a:t>Ferries</a:t></a:r></a:p></c:title><c:ser><c:tx><c:v>Riders</c:v></c:tx>' +
    '<c:cat><c:pt idx="0"><c:v>2023</c:v></c:pt><c:pt idx="1"><c:v>2024</c:v></c:pt></c:cat>' +
    '<c:val><c:pt idx="0"><c:v>412</c:v></c:pt><c:pt idx="1"><c:v>0.29999999999999999</c:v></c:pt></c:val></c:ser></c:chart></c:chartSpace>'
  const body =
    '<w:p><w:r><w:t>It sails</w:t><w:footnoteReference w:id="2"/><w:t>, it returns.</w:t></w:r></w:p>' +
    '<w:p><w:drawing><wp:docPr descr="A harbor"/><pic:pic><a:blip/></pic:pic></w:drawing><w:r><w:t>see</w:t></w:r><w:drawing><c:chart r:id="rId9"/></w:drawing></w:p>'
  const parts = {
    'word/footnotes.xml': `<w:footnotes><w:footnote w:id="2">${plain('not in winter')}</w:footnote></w:footnotes>`,
    'word/comments.xml': `<w:comments><w:comment w:author="Ida" w:id="0">${plain('Is it so?')}</w:comment></w:comments>`,
    'word/charts/chart1.xml': chart,
    'word/_rels/document.xml.rels':
      '<R><Relationship Id="rId9" Type="http://x/chart" Target="charts/chart1.xml"/></R>',
  }
  const read = await parseDocument(makeDocx(body, { parts }), 'docx', {
    signal: new AbortController().signal,
  })
  if ('skipped' in read) throw new Error(read.skipped)
  expect(read.blocks.map(({ text }) => text)).toEqual([
    'It sails[^1], it returns.',
    '[picture: A harbor] see [chart 1]',
    '[^1] not in winter',
    'Comment by Ida: Is it so?',
    'Chart 1: Ferries',
    '2023: Riders: 412',
    '2024: Riders: 0.3',
  ])
  expect(read.notes).toEqual(['text in 1 picture is not read: paragraph 2'])
})
