// The words of a question: the search terms, their weights, and the kind of answer.
import { expect, test } from 'vitest'
import { parseQuestion } from '../../../internal/retrieval/words.ts'

const stems = async (question: string) => (await parseQuestion(question)).terms.map(({ stem }) => stem)

test('drops small words and units, and removes word endings', async () => {
  expect(await stems('How long are the entries kept in its caches?')).toEqual(['entri', 'keep', 'cach'])
})

test('searches identifiers as a whole and in parts', async () => {
  const { terms } = await parseQuestion('What does maxParamLength do with hash-max-entries?')
  expect(terms.filter(({ isCompound }) => isCompound).map(({ stem }) => stem)).toEqual([
    'maxparamlength',
    'hashmaxentries',
  ])
  expect(terms.map(({ stem }) => stem)).toEqual(
    expect.arrayContaining(['max', 'param', 'length', 'hash', 'entri']),
  )
})

test('separates names from words, and names have no synonyms', async () => {
  const { terms } = await parseQuestion('Does the server speak QUIX or Kafka on port 21?')
  const names = terms.filter(({ isName }) => isName).map(({ word }) => word)
  expect(names).toEqual(['QUIX', 'Kafka', '21'])
  expect(terms.find(({ word }) => word === 'Kafka')?.synonyms).toEqual([])
  expect(terms.find(({ word }) => word === 'server')?.synonyms).toContain('daemon')
})

test('words that appear in every question count a quarter', async () => {
  const { terms } = await parseQuestion('What happens to the replica?')
  expect(terms.map(({ word, weight }) => [word, weight])).toEqual([
    ['happens', 0.25],
    ['replica', 1],
  ])
})

test.each([
  ['How long does it wait?', 'duration'],
  ['How big is the buffer?', 'size'],
  ['How many retries are made?', 'any'],
  ['Who wrote it?', undefined],
  ['Wie lange wird gewartet?', 'duration'],
])('%s asks for a number: %s', async (question, number) => {
  expect((await parseQuestion(question)).wants.number).toBe(number)
})

test('detects questions about a position and about code', async () => {
  expect((await parseQuestion('Where is the configuration stored?')).wants).toMatchObject({
    place: true,
    code: false,
  })
  expect((await parseQuestion('Which function closes the socket?')).wants).toMatchObject({
    place: true,
    code: true,
  })
})

test('uses the stems and small words of the language', async () => {
  expect(await parseQuestion('Wie groß darf eine Datei höchstens sein?')).toMatchObject({ language: 'de' })
  expect(await stems('Welche Einstellungen haben die Häuser?')).toEqual(['einstell', 'haus'])
  expect(await stems('Quels sont les fichiers de configuration ?')).toEqual(['fichi', 'configur'])
  expect(await stems('¿Dónde están los archivos de configuración?')).toEqual(['archiv', 'configur'])
})

test('each part of a question has separate words', async () => {
  const { parts, terms } = await parseQuestion('How are locks taken, and what removes stale files?')
  expect(parts).toHaveLength(2)
  expect(terms.map(({ stem, part }) => [stem, part])).toEqual([
    ['lock', 0],
    ['remov', 1],
    ['stale', 1],
    ['file', 1],
  ])
})

test.each(['', '?', 'is it the', '🙂', '\u0000'])('%j has no words', async (question) => {
  expect(await stems(question)).toEqual([])
})

test.each([
  ['What do these papers measure?', ['measure']],
  ['Which licence does this project have?', ['licence']],
  ['Was messen diese Dokumente?', ['messen']],
  ['What is a document called?', ['document', 'called']],
])('drops words for the searched files: %s', async (question, words) => {
  expect((await parseQuestion(question)).terms.map(({ word }) => word)).toEqual(words)
})

test('words that a follow-up question takes from the previous one count less', async () => {
  const { terms, parts } = await parseQuestion('And for a study (also: default timeout command)?')
  expect(parts).toHaveLength(1)
  expect(Object.fromEntries(terms.map(({ word, weight }) => [word, weight]))).toEqual({
    study: 1,
    default: expect.closeTo(0.24),
    timeout: expect.closeTo(0.4),
    command: expect.closeTo(0.4),
  })
})
