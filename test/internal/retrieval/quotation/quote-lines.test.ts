// The relevance of each line of a passage to a question.
import { expect, test } from 'vitest'
import { readQuoteLines } from '../../../../internal/retrieval/quotation/quote-lines.ts'
import { createTermScanner } from '../../../../internal/retrieval/term-scanner.ts'
import { parseQuestion } from '../../../../internal/retrieval/words.ts'

async function read(text: string, kind: 'prose' | 'code' = 'prose', path = 'a.md') {
  const question = await parseQuestion('Which lock guards the journal?')
  const reading = {
    scan: createTermScanner(question),
    worth: (terms: ReadonlySet<number>) => terms.size,
    isPlaceInCode: kind === 'code',
  }
  return readQuoteLines({ text, heading: '', kind, path }, reading)
}

test('all lines of a sentence have the score of the sentence', async () => {
  const lines = await read('A lock that somebody\nholds guards the journal.\n\nA lock.')
  expect(lines.map(({ score }) => score)).toEqual([3, 3, 0, 1])
  expect(lines.map(({ begins }) => begins)).toEqual([true, false, true, true])
})

test('scores titles, and marks lines in fences as examples', async () => {
  const lines = await read('# The lock guards\n\n```\nlock journal\n```')
  expect(lines[0]?.score).toBe(1)
  expect(lines[3]).toMatchObject({ isExample: true, score: 1.5 })
})

test('gives imports no score, and marks definitions', async () => {
  const lines = await read("import lock from 'journal'\nfunction openJournal(lock) {", 'code', 'a.ts')
  expect(lines[0]).toMatchObject({ isBoilerplate: true, score: 0 })
  expect(lines.map(({ defines }) => defines)).toEqual([false, true])
})

test.each([
  ['a.ts', 'function open_log() {\nfunction openLogFile() { open_log() }', 'openLog'],
  ['a.py', 'def open_log_file(): openLog()\ndef open_log():', 'open_log'],
  ['a.go', 'func OpenLogger() { openLog() }\nfunc openLog() {', 'openLog'],
])('in %s, only the definition of a name of the question is marked: %j', async (path, text, name) => {
  const question = await parseQuestion(`Where is ${name} defined?`)
  const reading = {
    scan: createTermScanner(question),
    worth: (terms: ReadonlySet<number>) => terms.size,
    isPlaceInCode: true,
    names: [name],
  }
  const lines = readQuoteLines({ text, heading: '', kind: 'code', path }, reading)
  const marked = lines.filter(({ defines }) => defines).map((line) => line.text)
  expect(marked).toEqual([text.split('\n').find((line) => /open_?log\(\)[ :{]+$/i.test(line))])
})
