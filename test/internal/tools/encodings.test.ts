// Every tool that reads text reads it in every encoding, and a result says where the encoding is a guess.
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { editFile } from '../../../internal/tools/files/edit_file.ts'
import { read } from '../../../internal/tools/files/read.ts'
import { readDocumentTool } from '../../../internal/tools/files/read_document.ts'
import { finder } from '../../../internal/tools/search/finder.ts'
import { grep } from '../../../internal/tools/search/grep.ts'
import { readPageText } from '../../../internal/web/page-text.ts'
import { call, ctxWith } from '../../support/ctx.ts'
import { run } from '../../support/run.ts'
import { sampleRows } from '../../support/sample.ts'
import { scratchWith } from '../../support/scratch.ts'

/** A word to look for, and sentences around it that are usual in the language. */
const texts = {
  ru: ['паром', 'Расписание речных судов\nпаром отходит в 17:40 от северной пристани\nКасса закрыта\n'],
  zh: ['客船', '时间表如下\n客船每天十七点四十分出发\n请在码头等候\n'],
  tw: ['客船', '時間表如下\n客船每天十七點四十分出發\n請在碼頭等候\n'],
  ja: ['フェリー', '時刻表は次のとおりです\nフェリーは毎日出発します\n港で待ってください\n'],
  ko: ['여객선', '시간표는 다음과 같습니다\n여객선은 매일 출발합니다\n부두에서 기다리세요\n'],
  el: ['πλοίο', 'Το πρόγραμμα της ημέρας\nτο πλοίο φεύγει από το λιμάνι\nκλειστό\n'],
  de: ['Fähre', 'Der Fahrplan für die Gäste\ndie Fähre fährt täglich über die Förde\ngeschlossen\n'],
} as const
const rows = [
  ...(['CP1251', 'KOI8-R', 'CP866', 'UTF-16LE', 'UTF-16'] as const).map((one) => ['ru', one] as const),
  ...(['GB18030', 'GBK', 'UTF-16LE'] as const).map((one) => ['zh', one] as const),
  ['tw', 'BIG5'],
  ['ja', 'SHIFT_JIS'],
  ['ja', 'EUC-JP'],
  ['ko', 'EUC-KR'],
  ['el', 'CP1253'],
  ['de', 'CP1252'],
  ['de', 'ISO-8859-1'],
  ['de', 'UTF-16BE'],
] as const

const encode = (text: string, encoding: string) =>
  execFileSync('iconv', ['-f', 'UTF-8', '-t', encoding], { input: text })
/** UTF-16 without a mark is found by its ASCII letters. */
const frame = (text: string, encoding: string) =>
  encoding.startsWith('UTF-16') ? `timetable of the harbour ${'='.repeat(60)}\n${text}` : text

test.each(sampleRows(rows, 2))('every tool reads %s in %s', async (language, encoding) => {
  const [word, plain] = texts[language]
  const text = frame(plain, encoding)
  const line = text.split('\n').find((one) => one.includes(word)) as string
  const dir = scratchWith({
    'notes.txt': encode(text, encoding),
    'code.py': encode(text.replace(/^/gm, '# '), encoding),
    'table.csv': encode(`a,b\n${line},412\n`.concat(text.replaceAll(',', ' ')), encoding),
    'plain.txt': 'nothing to see\n',
  })
  const isGuess = !encoding.startsWith('UTF-16')
  const ctx = ctxWith({ processes: { run } }, { cwd: dir })
  const shows = (result: { text: string; failed?: unknown }, what: string) => {
    expect(result.text, what).toContain(line.replaceAll(',', ' '))
    expect(result.text, what).not.toContain('\ufffd')
    if (isGuess) expect(result.text, what).toContain('a guess')
  }
  for (const path of ['notes.txt', 'code.py', 'table.csv'])
    shows(await call(read, { path }, ctx), `read ${path}`)
  shows(await call(readDocumentTool, { path: 'table.csv' }, ctx), 'read_document')
  const hits = await call(grep, { pattern: word }, ctx)
  shows(hits, 'grep')
  for (const path of ['notes.txt', 'code.py', 'table.csv']) expect(hits.text).toContain(`${path}:`)
  shows(await call(grep, { pattern: word, path: 'notes.txt' }, ctx), 'grep in one file')
  shows(await call(grep, { pattern: `${word}.*`, regex: true }, ctx), 'grep by expression')
  const edit = await call(editFile, { path: 'notes.txt', old_str: word, new_str: 'x' }, ctx)
  expect(edit).toMatchObject({ failed: { code: 'binary_or_encoding' } })
  expect(edit.text).toMatch(/UTF-8 text: it appears to be [\w-]+/)
  const html = `<html><body><p>${text.replaceAll('\n', '</p><p>')}</p></body></html>`
  const page = {
    url: 'http://a.example/',
    contentType: 'text/html',
    bytes: encode(html, encoding),
    cut: false,
  }
  const { text: shown, notes } = await readPageText(page, false, ctx.signal)
  shows({ text: [shown, ...notes].join('\n') }, 'web page')
})

test.each(['notes.txt', 'prices.csv'])(
  'finder and its notes report the guessed encoding of %s',
  async (name) => {
    const dir = scratchWith({ [name]: encode(`город,число\nАнадырь,412\n${texts.ru[1]}`, 'CP1251') })
    const found = await call(
      finder,
      { query: 'когда отходит паром', mode: 'passage' },
      ctxWith({ processes: { run } }, { cwd: dir }),
    )
    expect(found.text).toContain('паром отходит в 17:40')
    expect(found.text).toContain(`${name}: read as windows-1251, a guess`)
  },
)

test('shows the letters around a line in ASCII, and shows no note for a file in UTF-8', async () => {
  const dir = scratchWith({
    'a.txt': encode('Город Анадырь 412 человек живут\n', 'CP1251'),
    'b.txt': 'Город Анадырь 412\n',
    'image.bin': Buffer.from([0, 1, 2, 0xff, 0xfe, 0, 52, 49, 50, 0, 200, 7]),
  })
  const found = await call(grep, { pattern: '412' }, ctxWith({ processes: { run } }, { cwd: dir }))
  expect(found.text).toContain('Город Анадырь 412 человек')
  expect(found.text.match(/a guess/g)).toHaveLength(1)
})

test.each([
  [500, undefined],
  [
    501,
    '1 file in other encodings searched as UTF-8 only, from f0500.txt on; to read them, name a part in path',
  ],
  [
    540,
    '40 files in other encodings searched as UTF-8 only, from f0500.txt on; to read them, name a part in path',
  ],
])('grep over %i files in another encoding says which it could not detect', async (count, note) => {
  const bytes = encode(texts.ru[1], 'CP1251')
  const files = Array.from(
    { length: count },
    (_, i) => [`f${String(i).padStart(4, '0')}.txt`, bytes] as const,
  )
  const dir = scratchWith(Object.fromEntries(files))
  const { text } = await call(grep, { pattern: 'паром' }, ctxWith({ processes: { run } }, { cwd: dir }))
  expect(/[^\n[]* in other encodings searched as UTF-8 only[^\]\n]*/.exec(text)?.[0]).toBe(note)
})
