// The support of a claim by its quote: a part of a source does not verify an unrelated claim.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeStudyEntry } from '../../../../internal/study/log/entries.ts'
import { judgeClaim } from '../../../../internal/study/verify/claim-state.ts'
import { verifyClaims } from '../../../../internal/study/verify/verification.ts'
import { random } from '../../../support/search.ts'
import { claim, evidence, studyOf } from '../../../support/study.ts'

const excerpt = [
  'The store locks files with O_EXCL and waits for at most 30 seconds.',
  'After a crash the journal is replayed.',
  'retries = 5',
  'No acknowledged line is lost.',
].join('\n')
const isSupported = ({ text, quote }: { text: string; quote: string }, excerpt: string) =>
  judgeClaim(text, [{ quote, excerpt }]) === 'verified'
const cobol = 'The store is written in COBOL and loses data every day.'

test.each([
  [cobol, 'e', false],
  [cobol, 'The store', false],
  [cobol, 'locks files with O_EXCL and waits', false],
  [cobol, 'No acknowledged line is lost.', false],
  [cobol, 'The store locks files with O_EXCL', false],
  ['Locking uses O_EXCL.', 'locks files with O_EXCL and waits', true],
  ['Locking uses O_EXCL.', 'O_EXCL', false],
  ['The journal is replayed after crashes.', 'After a crash the journal is replayed.', true],
  ['There are five retries.', 'retries = 5', true],
  ['The number of retries = 5.', 'retries = 5', true],
  ['The number of retries = 6.', 'retries = 5', false],
  ['retries', 'retries = 5', true],
  ['retries = 5', 'retries = 5', true],
  ['retries = 5', 'retries', false],
  ['It is so.', 'The store locks files with O_EXCL', false],
  ['', 'The store locks files with O_EXCL', false],
])('%j by %j: %s', (text, quote, expected) => {
  expect(isSupported({ text, quote }, excerpt)).toBe(expected)
})

test.each([
  ['锁文件在崩溃后被删除', '崩溃后,系统会删除锁文件,然后重新启动数据库服务器进程。', true],
  ['数据库用COBOL编写', '崩溃后,系统会删除锁文件,然后重新启动服务器进程。', false],
])('%s in a script without spaces: %s', (text, quote, expected) => {
  expect(isSupported({ text, quote }, quote)).toBe(expected)
})

test('no slice of any source verifies a claim about something else', async () => {
  const next = random(5)
  const source = readFileSync(join(import.meta.dirname, '../../../../README.md'), 'utf8')
  const claims = Array.from({ length: 400 }, (_, i) => {
    const at = Math.floor(next() * source.length)
    const quote = source.slice(at, at + 1 + Math.floor(next() * 60))
    return makeStudyEntry(
      'claim',
      claim(`C1.${i + 1}`, quote, { text: 'Zebras graze quietly beneath purple volcanoes.' }),
    )
  })
  const state = studyOf([makeStudyEntry('evidence', evidence('E1.1', source)), ...claims])
  const { verdicts, support } = await verifyClaims(state, async () => undefined)
  expect(support).toBe(0)
  expect(new Set(verdicts.map(({ reason }) => reason))).toContain('unsupported')
})

test('accepts a claim with the same text as its quote, from any part of a source', () => {
  const next = random(6)
  for (let i = 0; i < 400; i++) {
    const at = Math.floor(next() * (excerpt.length - 25))
    const quote = excerpt.slice(at, at + 20 + Math.floor(next() * 60))
    // a slice that cuts "30" in two is not a quote
    if (/^0|3$/.test(quote)) continue
    if (quote.trim().length >= 20) expect(isSupported({ text: quote, quote }, excerpt)).toBe(true)
  }
})
