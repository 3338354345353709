// Which words of a question are searched for.
import { expect, test } from 'vitest'
import { tellingWords } from '../../../internal/search/query-words.ts'

test.each([
  ['where is the auth token refreshed?', ['auth', 'token', 'refresh']],
  ['How does parseArgs handle --json', ['parseArgs', 'handle', 'json']],
  ['retries retries Retries', ['retri']],
  ['the of and', []],
  ['HTTP_TIMEOUTS sha256s', ['HTTP_TIMEOUTS', 'sha256s']],
  ['größe übernommen', ['größe', 'übernommen']],
  ['a1b c2d e3f g4h i5j k6l m7n o8p q9r', ['a1b', 'c2d', 'e3f', 'g4h', 'i5j', 'k6l', 'm7n', 'o8p']],
])('extracts the words of the query %s', (question, words) => {
  expect(tellingWords(question)).toEqual(words)
})
