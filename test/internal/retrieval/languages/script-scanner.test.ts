// Positions of terms in scripts without spaces and in words with particles.
import { expect, test } from 'vitest'
import { createTermScanner } from '../../../../internal/retrieval/term-scanner.ts'
import { parseQuestion } from '../../../../internal/retrieval/words.ts'

async function placesOf(question: string, text: string) {
  const parsed = await parseQuestion(question)
  const out: string[] = []
  createTermScanner(parsed)(text, ({ at, term, weight }) =>
    out.push(`${parsed.terms[term]?.word}@${at}${weight < 1 ? '~' : ''}`),
  )
  return out
}

test('finds a word anywhere in a script without spaces', async () => {
  expect(await placesOf('客船', '新客船与客船')).toEqual(['客船@1', '客船@4'])
  expect(await placesOf('⾦庫', '金庫の中')).toEqual(['金庫@0'])
})

test('a katakana word within a longer one is only a part of it', async () => {
  expect(await placesOf('ポート', 'パスポートとポート番号')).toEqual(['ポート@2~', 'ポート@6'])
})

test('a Thai word does not end within a syllable', async () => {
  expect(await placesOf('เรือ', 'เรือ เรื่อง')).toEqual(['เรือ@0'])
})

test('finds Korean words with particles, in compounds and with composed letters', async () => {
  expect(await placesOf('창고의', '창고는 물류창고 창고')).toEqual(['창고의@0', '창고의@4~', '창고의@9'])
  expect(await placesOf('창고의', '창고는'.normalize('NFD'))).toEqual(['창고의@0'])
})

test('finds Cyrillic and Vietnamese words with and without marks', async () => {
  expect(await placesOf('зелёный', 'зеленая и Зелёного')).toEqual(['зелёный@0', 'зелёный@10'])
  expect(await placesOf('bến ở đâu', 'bến bên ben')).toEqual(['bến@0'])
})
