// Short texts of Chinese, Japanese and Korean letters: tables of a few names.
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { decodeAnyText } from '../../../../internal/base/text/detect-encoding.ts'
import { twoByteEncoding } from '../../../../internal/base/text/two-byte-encoding.ts'

const encode = (text: string, encoding: string) =>
  execFileSync('iconv', ['-f', 'UTF-8', '-t', encoding], { input: text })

const tables: Readonly<Record<string, readonly string[]>> = {
  SHIFT_JIS: ['名前,年齢,住所\n佐藤太郎,30,東京\n三木英子,25,大阪', 'フェリー,19:40', '港の長さ;92'],
  'EUC-JP': ['名前,年齢\n佐藤太郎,30', 'フェリーの時刻,19:40', 'みなと,12'],
  GBK: ['城市,人口\n上海,412\n北京,97', '客船,八点', '仓库的容量,412'],
  BIG5: ['城市,人口\n臺北,412\n高雄,97', '客船,八點出發', '倉庫的容量,412'],
  'EUC-KR': ['도시,인구\n서울,412\n부산,97', '여객선,오전', '창고의 정원,412'],
}
const rows = Object.entries(tables).flatMap(([encoding, texts]) =>
  texts.map((text) => [encoding, text] as const),
)

test.each(rows)('detects %s: %s', async (encoding, text) => {
  expect(await decodeAnyText(encode(`${text}\n`, encoding))).toMatchObject({
    text: `${text}\n`,
    guessed: true,
  })
})

test.each([
  ['Größe und Höhe, Äpfel über Öl', 'CP1252'],
  ['préférée à Noël, où été', 'CP1252'],
  ['plain words', 'ASCII'],
])('%s has another encoding', (text, encoding) => {
  expect(twoByteEncoding(encode(text, encoding))).toBeUndefined()
})
