// The language of a question and the stems of its words.
import { expect, test } from 'vitest'
import {
  describeLanguageGap,
  guessLanguage,
  isSmallWord,
  loadStemmer,
  removeAccents,
} from '../../../internal/retrieval/language.ts'

test.each([
  ['what is the default timeout', 'en'],
  ['wie lange wird auf den server gewartet', 'de'],
  ['quelle est la taille du fichier', 'fr'],
  ['cuál es el límite de los archivos', 'es'],
  ['timeout', 'en'],
  ['locks of packages en docs model setting', 'en'],
  ['', 'en'],
])('%s is %s', (text, language) => {
  expect(guessLanguage(text.split(' '))).toBe(language)
})

test('each language has its stems', async () => {
  expect((await loadStemmer('en'))('configurations')).toBe('configur')
  expect((await loadStemmer('de'))('einstellungen')).toBe('einstell')
  expect((await loadStemmer('fr'))('fichiers')).toBe('fichi')
  expect((await loadStemmer('es'))('errores')).toBe('error')
})

test('removes accents, and each small word belongs to one language', () => {
  expect(removeAccents('größe délais')).toBe('grosse delais')
  expect(isSmallWord('the', 'en')).toBe(true)
  expect(isSmallWord('the', 'de')).toBe(false)
})

test('reports that a question and its files have different languages, if the language of the files is known', () => {
  const text =
    'the store is what it says and this is how it was done in the end of the day by all of us '.repeat(2)
  expect(describeLanguageGap('de', text)).toContain('the question is in German and the files are in English')
  expect(describeLanguageGap('en', text)).toBeUndefined()
  expect(describeLanguageGap('de', 'const x = 1; const y = is(the)')).toBeUndefined()
})

test.each([
  ['protect', 'protection'],
  ['compress', 'compressions'],
  ['execute', 'execution'],
  ['invalidate', 'invalidation'],
])('%s and %s have one stem', async (verb, noun) => {
  const stem = await loadStemmer('en')
  expect(stem(noun)).toBe(stem(verb))
})

test.each(['option', 'version', 'session', 'ion', 'million'])('%s keeps its ending', async (word) => {
  expect((await loadStemmer('en'))(word)).toBe(word)
})
