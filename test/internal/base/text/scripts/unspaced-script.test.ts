// Words of scripts without spaces.
import { expect, test } from 'vitest'
import {
  foldVariants,
  hasUnspacedScript,
  listBigrams,
  segmentWords,
  splitScriptRuns,
  withoutOkurigana,
} from '../../../../../internal/base/text/scripts/unspaced-script.ts'

test.each([
  ['客船几点出发', ['客船', '出发']],
  ['倉庫の定員は何人', ['倉庫', '定員']],
  ['เรือโดยสารออก', ['เรือ', 'ออก']],
])('%s has the words %s', (run, words) => {
  expect(segmentWords(run).map(({ word }) => word)).toEqual(expect.arrayContaining(words))
  for (const { word, index } of segmentWords(run)) expect(run.slice(index, index + word.length)).toBe(word)
})

test('joining the runs gives the original text', () => {
  for (const text of ['使用Redis缓存7天', 'plain', '', 'コーヒー and กาแฟ', '한국어 中文']) {
    const runs = splitScriptRuns(text)
    expect(runs.map((run) => run.text).join('')).toBe(text)
    for (const run of runs) expect(text.startsWith(run.text, run.index)).toBe(true)
  }
})

test('distinguishes scripts with and without spaces', () => {
  for (const text of ['客船', 'かな', 'カナ', 'ไทย', 'ລາວ', 'ខ្មែរ', 'မြန်မာ'])
    expect(hasUnspacedScript(text), text).toBe(true)
  for (const text of ['', 'abc', '한국어', 'порт', 'ميناء', 'हिन्दी', '12，'])
    expect(hasUnspacedScript(text), text).toBe(false)
})

test('replacing variants keeps the position of characters', () => {
  expect(foldVariants('⼀ＡＢ１２')).toBe('一AB12')
  expect(foldVariants('ab一')).toBe('ab一')
  // a second call finds the same: no state is left in the pattern
  expect(foldVariants('⼀')).toBe('一')
  expect(foldVariants('⼀')).toBe('一')
})

test('splits inflected words and compounds into parts', () => {
  expect(withoutOkurigana('開きます')).toBe('開')
  expect(withoutOkurigana('ひらく')).toBe('ひらく')
  expect(listBigrams('破冰船')).toEqual(['破冰', '冰船'])
  expect(listBigrams('客船')).toEqual([])
})
