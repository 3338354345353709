// Which parts of questions want a yes or a no, and what their words count.

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findPassages } from '../../../../internal/retrieval/find-passages.ts'
import {
  deniesAt,
  isYesNoQuestion,
  listDeniedWords,
  listMeasureWords,
  readImpliedWords,
} from '../../../../internal/retrieval/languages/wanted-answer.ts'
import { parseQuestion } from '../../../../internal/retrieval/words.ts'
import { scratchWith } from '../../../support/scratch.ts'

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

// Words that a question implies, and words that it denies, in questions and in searches.

const conditions = ['unless', 'if not', 'when nobody has', 'if nothing is', 'when none is', 'if no one has']
const verbs = ['set', 'changed', 'given', 'configured', 'specified']
const defaults = conditions.flatMap((condition) => verbs.map((verb) => `${condition} ${verb}`))

test.each(defaults)('"%s" asks for a default', (phrase) => {
  const { text, implied } = readImpliedWords(`How long is a lease kept ${phrase}`)
  expect(implied).toEqual([{ word: 'default', weight: 0.4 }])
  expect(text.trim()).toBe('How long is a lease kept')
})

test.each([
  ['How many clients can connect', ['maximum']],
  ['How many clients may connect', ['maximum']],
  ['How many jobs run at once', ['maximum']],
  ['How many jobs may run at most', ['maximum']],
  ['How long can a name be at most', ['maximum']],
  ['How often is it tried at least', ['minimum']],
  ['Who knows most about it', []],
  ['How many clients connected', []],
  ['What is set by the user', []],
])('%s', (part, words) => {
  expect(readImpliedWords(part).implied.map(({ word }) => word)).toEqual(words)
})

test.each(['says nothing', 'sends no data', 'answers nothing', 'sent nothing', 'replies nothing'])(
  '"%s" is silent',
  async (phrase) => {
    expect(readImpliedWords(`a client that ${phrase} for long`).text).toBe('a client that silent for long')
    const { terms } = await parseQuestion(`When is a client dropped that ${phrase}?`)
    const own = terms.find(({ word }) => word === 'silent')
    expect(own?.synonyms).toEqual(expect.arrayContaining(['idl', 'inact']))
  },
)

test.each([
  'nobody',
  'nothing',
  'none',
  'anyone',
  'unless',
  'otherwise',
  'again',
  'ever',
  'once',
  'taken',
  'told',
])('%s counts nothing', async (word) => {
  const { terms } = await parseQuestion(`Which lease is ${word} renewed?`)
  expect(terms.map((term) => term.word)).toEqual(['lease', 'renewed'])
})

test('an implied word weighs too little for a gap', async () => {
  const { terms } = await parseQuestion('How many clients may connect unless set?')
  for (const word of ['default', 'maximum'])
    expect(terms.find((term) => term.word === word)?.weight).toBe(0.4)
})

test.each([
  ['Does it run without a key', ['key']],
  ['What works with no network', ['network']],
  ['Which call is never repeated', ['repeated']],
  ['Does it need a key', []],
])('%s denies %j', (part, words) => {
  expect(listDeniedWords(part)).toEqual(words)
})

test.each([
  ['it needs no key', 'key', true],
  ['without the key', 'key', true],
  ["it doesn't need a key", 'key', true],
  ['no one knows where this house keeps the key', 'key', false],
  ['a key is needed', 'key', false],
])('%s: %s', (text, word, expected) => {
  expect(deniesAt(text, [text.indexOf(word)])).toBe(expected)
})

test('a passage that denies the word comes first', async () => {
  const files = {
    'a.md':
      '# Reports\n\nA report of the depot needs a key. The key of a report is long. Each report has a key.\n',
    'b.md': '# Depot\n\nThe depot writes a short report without a key.\n',
  }
  const dir = scratchWith(files)
  const list = Object.keys(files).map((path) => ({ path, real: join(dir, path) }))
  const search = (question: string) =>
    findPassages({ files: list, question, limit: 8, signal: new AbortController().signal })
  expect((await search('Which report works without a key?')).hits[0]?.path).toBe('b.md')
  expect((await search('Which report has a key?')).hits[0]?.path).toBe('a.md')
})

test.each([
  ['How hot is the kiln fired?', ['hot']],
  ['How many loaves may the kiln hold?', []],
  ['How strict are the rules?', ['strict']],
  ['How configuration is loaded', []],
  ['How is the kiln fired?', []],
  ['What happens if a name is longer than one letter?', ['longer']],
  ['Which number is used rather than the other?', []],
])('finds the words for measures in %s', (part, words) => {
  expect(listMeasureWords(part)).toEqual(words)
})
