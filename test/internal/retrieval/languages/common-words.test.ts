// Words that are common in questions: every form of them has little weight, and nouns keep their weight.
import { expect, test } from 'vitest'
import { isAfterDeterminer } from '../../../../internal/retrieval/languages/common-words.ts'
import { parseQuestion } from '../../../../internal/retrieval/words.ts'

const weightOf = async (question: string, word: string) =>
  (await parseQuestion(question)).terms.find((term) => term.word === word)?.weight

test.each([
  ['What does a webhook use?', 'use', 0.25],
  ['What makes a function fail?', 'makes', 0.25],
  ['How are retries made?', 'made', 0.25],
  ['What needs a key?', 'needs', 0.25],
  ['Who took the lock?', 'took', 0.25],
  ['Why does it happen?', 'happen', 0.25],
  ['Which tables are supported?', 'supported', 0.6],
  ['Who supports tables?', 'supports', 0.6],
  ['Who opens the file?', 'opens', 1],
])('%s: %s weighs %s', async (question, word, weight) => {
  expect(await weightOf(question, word)).toBe(weight)
})

test.each([
  ['Where are figures about its use?', 'use', 1],
  ['Who counts the calls?', 'calls', 1],
  ['What follows these takes?', 'takes', 1],
  // A listed form is common as a noun too.
  ['What is the difference?', 'difference', 0.25],
])('%s: the noun %s weighs %s', async (question, word, weight) => {
  expect(await weightOf(question, word)).toBe(weight)
})

test('only a determiner directly before the word makes it a noun', () => {
  expect(isAfterDeterminer('about its use', 'about its '.length)).toBe(true)
  expect(isAfterDeterminer('its new use', 'its new '.length)).toBe(false)
})
