import { expect, it } from 'vitest'
import { extractTerms } from '../../../internal/text-analysis/terms.ts'
import { findWholeWords } from '../../../internal/text-analysis/whole-words.ts'

// Terms lose the ending of a plural. The word without its ending is often no word: `entrie`, `retrie`, `ca`.
const words = 'entries retries policies caches classes Redis processes fields maxRetries lock-files'.split(
  ' ',
)

it.each(words)('shows a whole word for each term of %s', (word) => {
  const question = `How many ${word} are there?`
  for (const one of findWholeWords(extractTerms(question), question))
    expect(question).toMatch(new RegExp(`\\b${one}\\b`))
  expect(findWholeWords(extractTerms(question), question)).toContain(word)
})

it.each([
  ['a name and its parts once', ['maxretries', 'max', 'retrie'], 'Where is maxRetries set?', ['maxRetries']],
  ['a phrase', ['not found'], 'What does "not found" mean?', ['not found']],
  ['a word that is not in the text', ['lease'], 'How are tasks shared?', ['lease']],
  ['a script without spaces', ['設定'], '設定を読む', ['設定']],
])('shows %s', (_, terms, text, expected) => {
  expect(findWholeWords(terms, text)).toEqual(expected)
})
