// The search words of a question.
import { describe, expect, it, test } from 'vitest'
import {
  extractTerms,
  findTerms,
  findWholeWords,
  foldText,
  termSimilarity,
} from '../../../internal/text-analysis/terms.ts'

const cases: [string, string[]][] = [
  [
    'How does the store lock files, and what happens on a crash?',
    ['store', 'lock', 'file', 'happen', 'crash'],
  ],
  ['', []],
  ['What is it?', []],
  ['an ox is at it', []],
  ['Lock lock LOCK', ['lock']],
  ['the "write ahead log" of the store', ['write ahead log', 'store']],
  ["the 'write ahead log' of the workers' store", ['write ahead log', 'worker', 'store']],
  ['what `openFile()` returns', ['openfile()', 'return']],
  ['“two words” here', ['two words']],
  ['internal/store/sqlite.ts', ['internal/store/sqlite.ts', 'internal', 'store', 'sqlite']],
  ['appendLine and HTTPServer', ['appendline', 'append', 'line', 'httpserver', 'http', 'server']],
  ['max_open_files', ['max_open_files', 'max', 'open', 'file']],
  ['this series processes bonus basis', ['serie', 'process', 'bonus', 'basis']],
  ['multi-worker study', ['multi-worker', 'multi', 'worker', 'study']],
  ['version 1.2.34 of 2024', ['version', '1.2.34', '2024']],
  ['Größe der Datei', ['größe', 'der', 'datei']],
  ['cafe\u0301 noir', ['café', 'noir']],
]

describe('terms', () => {
  test.each(cases)('extracts the terms of %s', (text, expected) =>
    expect(extractTerms(text)).toEqual(expected),
  )
})

test('extracting terms from terms returns the same terms', () => {
  for (const [text] of cases) {
    const once = extractTerms(text).filter((term) => !/[ ()]/.test(term))
    expect(extractTerms(once.join(' '))).toEqual(once)
  }
})

test('finds terms in any letter case and any Unicode form', () => {
  expect(findTerms('The CAFE\u0301 locks', ['café', 'lock', 'file'])).toEqual(['café', 'lock'])
  expect(foldText('CAFE\u0301')).toBe('café')
})

test('finds a term only at the beginning of a word', () => {
  expect(findTerms('studies and unlocked', ['dies', 'lock', 'stud'])).toEqual(['stud'])
  expect(
    findTerms('tryLock, HTTPServer, max_files, IPv6, 3frames', ['lock', 'server', 'file', 'pv6', 'frame']),
  ).toEqual(['lock', 'server', 'file', 'pv6', 'frame'])
  expect(findTerms('unlock the lock', ['lock'])).toEqual(['lock'])
})

test('termSimilarity returns the share of common terms', () => {
  expect(termSimilarity(['a', 'b'], ['b', 'c'])).toBeCloseTo(1 / 3)
  expect(termSimilarity(['a', 'a'], ['a'])).toBe(1)
  expect(termSimilarity([], [])).toBe(0)
})

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
