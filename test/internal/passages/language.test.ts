// The language of a question and the stems of its words.
import { expect, test } from 'vitest'
import {
  guessLanguage,
  isSmallWord,
  loadStemmer,
  removeAccents,
} from '../../../internal/passages/language.ts'

test.each([
  ['what is the default timeout', 'en'],
  ['wie lange wird auf den server gewartet', 'de'],
  ['quelle est la taille du fichier', 'fr'],
  ['cuál es el límite de los archivos', 'es'],
  ['timeout', 'en'],
  ['', 'en'],
])('%s is %s', (text, language) => {
  expect(guessLanguage(text.split(' '))).toBe(language)
})

test('stems are those of the language', async () => {
  expect((await loadStemmer('en'))('configurations')).toBe('configur')
  expect((await loadStemmer('de'))('einstellungen')).toBe('einstell')
  expect((await loadStemmer('fr'))('fichiers')).toBe('fichi')
  expect((await loadStemmer('es'))('errores')).toBe('error')
})

test('accents are taken off, small words belong to one language', () => {
  expect(removeAccents('größe délais')).toBe('grosse delais')
  expect(isSmallWord('the', 'en')).toBe(true)
  expect(isSmallWord('the', 'de')).toBe(false)
})
