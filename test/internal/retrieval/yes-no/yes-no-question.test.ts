// Which parts of questions want a yes or a no, and what their words count.
import { expect, test } from 'vitest'
import { parseQuestion } from '../../../../internal/retrieval/words.ts'
import { isYesNoQuestion } from '../../../../internal/retrieval/yes-no/yes-no-question.ts'

test.each([
  ['Does it speak FTP?', 'en', true],
  ["Doesn't it support Windows?", 'en', true],
  ['And can it be resumed?', 'en', true],
  ['What does it speak?', 'en', false],
  ['FTP, and how?', 'en', false],
  ['Unterstützt es FTP?', 'de', true],
  ['Kann man abbrechen?', 'de', true],
  ['Wie lange dauert es?', 'de', false],
  ['Est-ce que FTP est possible ?', 'fr', true],
  ['Comment faire ?', 'fr', false],
  ['¿Soporta FTP?', 'es', true],
  ['¿Cómo funciona?', 'es', false],
] as const)('%s (%s): %s', (question, language, expected) => {
  expect(isYesNoQuestion(question, language)).toBe(expected)
})

test('words like speak or support count little in a yes-no question, and fully elsewhere', async () => {
  const weights = async (question: string) =>
    Object.fromEntries((await parseQuestion(question)).terms.map(({ word, weight }) => [word, weight]))
  expect(await weights('Does it speak FTP?')).toEqual({ speak: 0.25, FTP: 1 })
  expect(await weights('Which languages does it speak?')).toMatchObject({ speak: 1 })
})

test('checks each part separately, and examples count less', async () => {
  const { yesNo, terms } = await parseQuestion(
    'How is it configured, and does it read variables such as HTTP_PROXY?',
  )
  expect([...yesNo]).toEqual([1])
  const weightOf = (word: string) => terms.find((term) => term.word === word)?.weight ?? 0
  expect(weightOf('HTTP_PROXY')).toBeLessThan(weightOf('variables'))
})
