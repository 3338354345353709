// Verdicts on searches: names and subjects that no file contains, small words, parts that one quote answers.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findPassages } from '../../../internal/retrieval/find-passages.ts'
import { scratchWith } from '../../support/scratch.ts'

const files = {
  'lock.md': '# Locks\n\nThe store locks its files with a lease. The lease of a lock is renewed.\n',
  'crash.md': '# Crash\n\nAfter a crash the journal of the store is replayed.\n',
  'src/kafka-sink.md': 'Messages go out to the bus.\n',
}

const judge = async (question: string) => (await search(question)).coverage

function search(question: string) {
  const dir = scratchWith(files)
  const list = Object.keys(files).map((path) => ({ path, real: join(dir, path) }))
  return findPassages({ files: list, question, limit: 8, signal: new AbortController().signal })
}

test.each([
  ['How does the store lock its files with Zookeeper?', ['Zookeeper']],
  ['How does Zookeeper lock files of the store?', ['Zookeeper']],
  ['How are passengers seated on the lease?', ['passengers']],
  ['How many thumbnails are locked for each file?', ['thumbnails']],
  ['How does the store call leaseRenewalQuorum to renew a lease?', ['leaseRenewalQuorum']],
])('nothing found: %s', async (question, words) => {
  const { verdict, missing } = await judge(question)
  expect(verdict).toBe('nothing')
  expect(missing).toEqual(expect.arrayContaining(words))
})

test.each(['What governs the lease of a lock?', 'Who safeguards the journal of the store?'])(
  'a verb that no file contains is not the subject: %s',
  async (question) => {
    const { coverage, hits } = await search(question)
    expect(coverage.verdict).toBe('partial')
    expect(hits.length).toBeGreaterThan(0)
  },
)

test('a name that only a path contains is not absent', async () => {
  const { verdict, missing } = await judge('How do messages go out to Kafka?')
  expect([verdict, missing]).toEqual(['found', []])
})

test('a thing that is asked for and is in no file is a gap', async () => {
  expect(await judge('Which tortoise does the store lock?')).toMatchObject({
    verdict: 'partial',
    missing: ['tortoise'],
  })
})

test('a missing name in a later part leaves that part open, and the first part has its quote', async () => {
  const coverage = await judge('How does the store lock its files, and what does Zookeeper do on a crash?')
  expect(coverage).toMatchObject({ verdict: 'partial', open: ['what does Zookeeper do on a crash'] })
})

test.each([
  [
    'What does Zookeeper do on a crash, and how does the store lock its files?',
    'What does Zookeeper do on a crash',
  ],
  ['How does leaseRenewalQuorum work, and what happens after a crash?', 'How does leaseRenewalQuorum work'],
  ['How are files locked, what does QUIX send, and what happens after a crash?', 'what does QUIX send'],
])('a missing name leaves only its part open: %s', async (question, part) => {
  const { verdict, open, missing, gaps } = await judge(question)
  expect(verdict).toBe('partial')
  expect(open).toEqual([part])
  const name = /Zookeeper|leaseRenewalQuorum|QUIX/.exec(part)?.[0]
  expect(missing).toContain(name)
  expect(gaps?.join()).toContain(part)
})

test('a part with a missing name has no quotes, because they say something else', async () => {
  const { hits } = await search('What does Zookeeper do to messages, and how does the store lock its files?')
  expect(hits.map(({ path }) => path)).toEqual(['lock.md'])
})

test('a question whose parts all have missing names finds nothing', async () => {
  const { verdict } = await judge('How does Zookeeper lock files, and what does QUIX do on a crash?')
  expect(verdict).toBe('nothing')
})

test.each([
  'How does the store lock its files again, unless told otherwise?',
  'How are files locked at all?',
])('small words are not a gap: %s', async (question) => {
  const { verdict, missing } = await judge(question)
  expect([verdict, missing]).toEqual(['found', []])
})

test.each([
  'Which file locks the store with a lease?',
  'Which module replays the journal after a crash?',
  'Which function locks files with a lease?',
])('the noun for the kind of the answer need not be in a file: %s', async (question) => {
  expect((await judge(question)).verdict).not.toBe('nothing')
})

test('both parts are found by one quote each', async () => {
  const coverage = await judge('How does the store lock its files, and what happens after a crash?')
  expect(coverage).toMatchObject({ verdict: 'found', missing: [] })
  expect(coverage.open).toBeUndefined()
})
