// Common encodings of files, detected without a mark, or returned as a guess.
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { decodeAnyText, describeGuess } from '../../../../internal/base/text/detect-encoding.ts'

const texts: Readonly<Record<string, string>> = {
  ru: 'город,число\nАнадырь,412\nПинега,97\n',
  ja: '都市,数\n東京,412\nフェリーは毎日出発します\n',
  zh: '城市,数量\n北京,412\n客船每天出发\n',
  tw: '城市,數量\n臺北,412\n客船每天出發\n',
  ko: '도시,수\n서울,412\n여객선은 매일 출발합니다\n',
  pl: 'miasto,liczba\nŁódź,412\nKraków,żółty\n',
  el: 'πόλη,αριθμός\nΑθήνα,412\n',
  he: 'עיר,מספר\nחיפה,412\n',
  ar: 'مدينة,عدد\nالرمل,412\n',
  fr: 'ville,nombre\nÉvry,412\nChâteau fermé\n',
  tr: 'şehir,sayı\nİzmir,412\nkış güneşi\n',
  uk: 'місто,число\nЇжакове,412\nЄвпаторія,після обіду\n',
  long: 'Максимальный размер очереди составляет сорок записей. Каждый ключ проверяется перед открытием.\n',
  de: 'Straße;Größe\nMünchen;412\n',
}
const rows = [
  ['ru', 'CP1251'],
  ['ru', 'KOI8-R'],
  ['ru', 'CP866'],
  ['long', 'KOI8-R'],
  ['long', 'CP1251'],
  ['uk', 'KOI8-U'],
  ['uk', 'CP1251'],
  ['ja', 'SHIFT_JIS'],
  ['ja', 'EUC-JP'],
  ['zh', 'GB18030'],
  ['zh', 'GBK'],
  ['tw', 'BIG5'],
  ['ko', 'EUC-KR'],
  ['pl', 'CP1250'],
  ['pl', 'ISO-8859-2'],
  ['el', 'CP1253'],
  ['he', 'CP1255'],
  ['ar', 'CP1256'],
  ['fr', 'CP1252'],
  ['fr', 'ISO-8859-1'],
  ['tr', 'CP1254'],
  ['de', 'CP1252'],
] as const

const encode = (text: string, encoding: string) =>
  execFileSync('iconv', ['-f', 'UTF-8', '-t', encoding], { input: text })

test.each(rows)('%s in %s', async (language, encoding) => {
  const text = texts[language] as string
  const decoded = await decodeAnyText(encode(text, encoding))
  expect(decoded).toMatchObject({ text, guessed: true })
  expect(describeGuess(decoded as never)).toContain('guess')
})

test.each(Object.entries(texts))('reads %s in Unicode without a guess', async (_, text) => {
  for (const encoding of ['UTF-8', 'UTF-16', 'UTF-16LE', 'UTF-16BE']) {
    const decoded = await decodeAnyText(
      encode(encoding.length > 6 ? `plain text, ${text.slice(0, 3)}\n` : text, encoding),
    )
    expect(decoded?.guessed, encoding).toBeUndefined()
    expect(decoded?.text, encoding).toContain(text.slice(0, 3))
  }
})

test('uses a named encoding if the bytes fit it, and rejects bytes that are not text', async () => {
  const bytes = encode(texts.ru as string, 'KOI8-R')
  expect(await decodeAnyText(bytes, 'koi8-r')).toEqual({ text: texts.ru, encoding: 'koi8-r' })
  expect((await decodeAnyText(bytes, 'no-such-name'))?.text).toBe(texts.ru)
  expect((await decodeAnyText(bytes, 'utf-8'))?.text).toBe(texts.ru)
  expect(await decodeAnyText(Buffer.from([0, 1, 2, 3, 0xff, 0, 0, 7, 200, 0]))).toBeUndefined()
})

test('reads even a short text in Western letters as Western', async () => {
  for (const word of [
    'Größe',
    'Öl',
    'été',
    'naïve café',
    'Ärger über Ähren',
    'señor',
    'São Paulo',
    'Łódź;żółw',
  ]) {
    const encoding = /[Łźż]/.test(word) ? 'CP1250' : 'CP1252'
    expect((await decodeAnyText(encode(`name;${word}\n`, encoding)))?.text, word).toContain(word)
  }
})
