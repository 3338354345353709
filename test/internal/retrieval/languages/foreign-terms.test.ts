// Questions in nine languages over texts of the same languages: the best quote contains the answer.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findPassages } from '../../../../internal/retrieval/find-passages.ts'
import { splitToken } from '../../../../internal/retrieval/languages/foreign-terms.ts'
import { parseQuestion } from '../../../../internal/retrieval/words.ts'

const folder = new URL('../../../fixtures/languages/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')
const questions = JSON.parse(read('questions.json')) as Record<string, [string, string][]>
const languages = Object.keys(questions)
const files = languages.map((name) => ({ path: `${name}.md`, real: '', text: read(`${name}.md`) }))

async function answerOf(question: string) {
  const { signal } = new AbortController()
  const { hits, coverage } = await findPassages({ files, question, limit: 8, signal })
  const [first] = hits
  const lines = first?.text
    .split('\n')
    .slice(first.best.line - first.from, first.best.end_line - first.from + 1)
  return { path: first?.path, quote: lines?.join('\n') ?? '', coverage }
}

describe.each(languages)('%s', (language) => {
  test.each(questions[language] as [string, string][])('%s is answered by %s', async (question, wanted) => {
    const { path, quote, coverage } = await answerOf(question)
    expect(path).toBe(`${language}.md`)
    expect(coverage).toMatchObject({ verdict: 'found', missing: [] })
    expect(quote).toContain(wanted)
  })
})

test('lists missing words, and never answers without them', async () => {
  for (const [question, missing] of [
    ['直升机停在哪里？', '直升机'],
    ['ヘリコプターはどこですか？', 'ヘリコプター'],
    ['헬리콥터는 어디에 있습니까?', '헬리콥터는'],
    ['เฮลิคอปเตอร์อยู่ที่ไหน', 'เฮลิคอปเตอร์'],
    ['أين الطائرة المروحية؟', 'المروحية'],
    ['Где находится вертолёт?', 'вертолёт'],
  ] as const) {
    const { coverage } = await answerOf(question)
    expect(coverage.verdict, question).not.toBe('found')
    expect(coverage.missing, question).toContain(missing)
  }
})

test('keeps the script of names, and separates particles from them', async () => {
  expect(splitToken('使用Redis缓存').map(({ text }) => text)).toEqual(['使用', 'Redis', '缓存'])
  expect(splitToken('코로나-19의').map(({ text }) => text)).toEqual(['코로나', '19', '의'])
  expect(splitToken('maxParamLength')).toEqual([{ text: 'maxParamLength', script: undefined }])
  const { terms } = await parseQuestion('Redis의 기본 포트는 무엇입니까?')
  expect(terms.map(({ word }) => word)).toEqual(['Redis', '기본', '포트는'])
})
