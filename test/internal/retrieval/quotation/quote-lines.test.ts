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
