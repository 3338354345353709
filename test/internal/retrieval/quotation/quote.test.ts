// The quoted lines of a passage, and its key line.

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chooseClaims } from '../../../../internal/model/extract/claims.ts'
import { readFiledPassages } from '../../../../internal/model/extract/found-passages.ts'
import { findPassages } from '../../../../internal/retrieval/find-passages.ts'
import { chooseQuotes, quoteEachPart } from '../../../../internal/retrieval/quotation/quote.ts'
import {
  createTermScanner,
  type ScanTerms,
  type TermPlace,
} from '../../../../internal/retrieval/term-scanner.ts'
import { parseQuestion } from '../../../../internal/retrieval/words.ts'
import { describePassages } from '../../../../internal/retrieval/workspace-passages.ts'
import { scratchWith } from '../../../support/scratch.ts'

async function quoteOf(text: string, question: string, heading = '') {
  const parsed = await parseQuestion(question)
  const weights = parsed.terms.map(({ weight }) => weight)
  const { line, end_line, key } = chooseQuotes(
    { text, from: 1, heading, kind: 'prose', path: 'text.md' },
    parsed,
    weights,
    createTermScanner(parsed),
  ).best
  const lines = text.split('\n')
  return { lines: lines.slice(line - 1, end_line), key: lines[key - 1] }
}
const filler = (words: string) =>
  Array.from({ length: 6 }, () => `${words} and nothing that anybody has asked for.`)

test('quotes a short passage in full, with the most specific line as key, not the title', async () => {
  const text = '## Lease of a lock\n\nThe lease of a lock lasts 30 seconds.\nIt is renewed.'
  const { lines, key } = await quoteOf(text, 'How long does the lease of a lock last?')
  expect(lines).toHaveLength(4)
  expect(key).toBe('The lease of a lock lasts 30 seconds.')
})

test('quotes the stretch of a long passage with most of the words, 1,500 characters at most', async () => {
  const told = ['The journal is kept', 'for 30 days and then the lease', 'of its lock ends.']
  const text = [
    ...filler('Other words stand here'),
    '',
    ...told,
    '',
    ...filler('More words stand here'),
  ].join('\n')
  const { lines } = await quoteOf(
    text,
    'How long is the journal kept, and when does the lease of its lock end?',
  )
  expect(lines).toEqual(expect.arrayContaining(told))
  expect(lines.join('\n').length).toBeLessThanOrEqual(1500)
})

test('never begins or ends a quote inside of a sentence with a number', async () => {
  const sentence = ['the limit of a body', 'is counted in bytes and', 'stands at 1048576 of them.']
  for (let before = 5; before < 12; before++) {
    const lead = Array.from(
      { length: before },
      (_, i) => `Line ${i} says something else of that kind and ends here.`,
    )
    const tail = Array.from(
      { length: 9 },
      (_, i) => `Line ${i} comes later, speaks of a limit and ends here.`,
    )
    const { lines } = await quoteOf(
      [...lead, ...sentence, ...tail].join('\n'),
      'How large is the limit of a body?',
    )
    const held = sentence.filter((line) => lines.includes(line))
    expect([0, sentence.length]).toContain(held.length)
  }
})

test('begins and ends a quote with a sentence, and the key is the start of the best sentence', async () => {
  const text = [
    'Nothing of that kind is said here, and the words of it go on for a while in this line until',
    'they end. The journal of a lock keeps each lease',
    'for thirty days. Then somebody else may take the lock over without a word.',
  ].join('\n')
  const { lines, key } = await quoteOf(text, 'How long does the journal keep the lease of a lock?')
  expect(lines).toEqual(text.split('\n'))
  expect(key).toBe('they end. The journal of a lock keeps each lease')
})

test('includes the first line of a definition if the question asks where it is', async () => {
  const parsed = await parseQuestion('Where is the function that opens the editor defined?')
  const body = Array.from(
    { length: 12 },
    (_, i) => `    # the editor opens step ${i}, and some more words go with it`,
  )
  const text = ['def edit(', '    filename: str,', ') -> None:', ...body].join('\n')
  const scan = createTermScanner(parsed)
  const hit = { text, from: 1, heading: '', kind: 'code' as const, path: 'ui.py' }
  const weights = parsed.terms.map(({ weight }) => weight)
  expect(chooseQuotes(hit, parsed, weights, scan).best.line).toBe(1)
})

test('quotes a single line in full if it is longer than any quote', async () => {
  const text = `the limit ${'x '.repeat(600)}`
  expect((await quoteOf(text, 'the limit')).lines).toEqual([text])
})

test('quotes the row with the requested number and the table header before any example', async () => {
  const text = [
    ...filler('A command and its timeout change'),
    '',
    '| parameter | default | meaning |',
    '|---|---|---|',
    '| command | | What to run. |',
    '| timeout_ms | 30000 | Milliseconds it may take. |',
    '',
    '```',
    'run --command x --timeout 60000',
    '```',
  ].join('\n')
  const { lines, key } = await quoteOf(text, 'What is the default timeout of a command?')
  expect(key).toContain('| timeout_ms | 30000 |')
  expect(lines).toContain(key)
})

test('quotes no imports', async () => {
  const text = [
    "import { timeout } from './timeout.ts'",
    "import { hook } from './hook.ts'",
    '',
    'const timeout = 30',
    'const other = 1',
  ].join('\n')
  const { lines } = await quoteOf(text, 'What is the timeout of a hook?')
  expect(lines).toEqual(['const timeout = 30', 'const other = 1'])
})

test('quotes a second stretch of a long passage if it is nearly as good', async () => {
  const parsed = await parseQuestion('How long does the lease of a lock last?')
  const weights = parsed.terms.map(({ weight }) => weight)
  const told = ['The lease of a lock lasts 30 seconds.', 'A lease of a lock that lasts is renewed.']
  const quotes = (lines: string[]) => {
    const hit = { text: lines.join('\n'), from: 11, heading: '', kind: 'prose' as const, path: 'text.md' }
    return chooseQuotes(hit, parsed, weights, createTermScanner(parsed))
  }
  const gap = ['Other words stand here', 'Still other words', 'More', 'Some', 'Few'].flatMap(filler)
  const { best, second } = quotes([told[0] as string, '', ...gap, '', told[1] as string])
  expect(best.line).toBe(11)
  expect(second).toMatchObject({ end_line: 11 + gap.length + 3 })
  expect(second?.line).toBeGreaterThan(best.end_line)
  expect(second?.share).toBeGreaterThan(0.5)
  expect(quotes([told[0] as string, '', ...gap]).second).toBeUndefined()
})

// Quotes for questions of several parts: each part has a quote, or is listed as open.

const topics = [
  { ask: 'How does the relay do a phased restart', tell: 'A phased restart of the relay ends one worker.' },
  { ask: 'what is the default heartbeat interval', tell: 'The default heartbeat interval is 5 seconds.' },
  { ask: 'which signals rotate the journal', tell: 'Of the signals, USR1 makes it rotate the journal.' },
  { ask: 'how are tokens signed', tell: 'All tokens are signed with the key of the house.' },
]
/** Text between words of each topic, so that two words of one topic are never near each other. */
const gap = 'Nothing of this was ever decided by anybody who was there to see what came of it. '.repeat(5)
const scattered = ['phased', 'heartbeat', 'signals', 'tokens', 'restart', 'interval', 'rotate', 'signed']
  .map((word) => `A visitor said ${word}. ${gap}`)
  .join('\n\n')

async function search(told: readonly number[], asked: readonly number[], limit = 8) {
  const many = topics.filter((_, i) => told.includes(i))
  const files: Record<string, string> = { 'notes.md': scattered }
  // the first topic is repeated so often that it could fill all quotes
  for (let i = 0; i < 9; i++)
    files[`first-${i}.md`] = `${topics[0]?.tell} So says page ${i}, ${'x'.repeat(i)}.\n`
  for (const [i, { tell }] of many.entries()) files[`told-${i}.md`] = `${tell}\n`
  const dir = scratchWith(files)
  const question = `${asked.map((i) => topics[i]?.ask).join(', and ')}?`
  const list = Object.keys(files).map((path) => ({ path, real: join(dir, path) }))
  return {
    found: await findPassages({ files: list, question, limit, signal: new AbortController().signal }),
    question,
  }
}

const asked = [
  [0, 1],
  [0, 1, 2],
  [1, 2, 3],
  [0, 1, 2, 3],
  [3, 0],
]
const cases = asked.flatMap((parts) => [
  { parts, open: -1 },
  ...parts.filter((part) => part !== 0).map((open) => ({ parts, open })),
])

test.each(cases)('of the parts $parts only $open has no answer', async ({ parts, open }) => {
  const told = parts.filter((part) => part !== open)
  const { found, question } = await search(told, parts)
  const described = describePassages(found, 'model')
  const claims = chooseClaims(readFiledPassages(described).hits, question)
  for (const part of told) expect(claims.map(({ quote }) => quote).join('\n')).toContain(topics[part]?.tell)
  if (open < 0) {
    expect(found.coverage.open).toBeUndefined()
    expect(found.coverage.verdict).toBe('found')
  } else {
    expect(found.coverage.open).toEqual([topics[open]?.ask])
    expect(found.coverage.verdict).toBe('partial')
    expect(described.remarks).toContainEqual({
      about: 'lacking',
      text: expect.stringMatching(
        open === 2
          ? /^(?:the words are apart: |no quote for: which signals)/
          : /^the words are apart: \w+ \(/,
      ),
    })
  }
})

test.each(cases)('marks the parts $parts without $open in any order of the scan', async ({ parts, open }) => {
  const { found, question: text } = await search(
    parts.filter((part) => part !== open),
    parts,
  )
  const question = await parseQuestion(text)
  const scan = createTermScanner(question)
  const weights = question.terms.map(({ weight }) => weight)
  const reversed: ScanTerms = (words, take) => {
    const places: TermPlace[] = []
    scan(words, (place) => places.push(place))
    for (const place of places.reverse()) take(place)
  }
  expect(quoteEachPart(found.hits, question, weights, reversed)).toEqual(
    quoteEachPart(found.hits, question, weights, scan),
  )
})

test.each(['oss/replica_client.go', 'oss.go', 'backend/oss/limits.go'])(
  'in %s, the words of the path do not decide which line says most',
  async (path) => {
    const text = [
      'package oss',
      '',
      '// OSSClient sends files to OSS.',
      'const OSSClient = "oss client of OSS"',
      '',
      '// DefaultRegion is the region used if one is not specified.',
      'const DefaultRegion = "cn-hangzhou"',
      '',
    ].join('\n')
    const question = 'Which region does the OSS client use by default?'
    const { hits } = await findPassages({
      files: [{ path, real: join(scratchWith({ [path]: text }), path) }],
      question,
      limit: 1,
      signal: new AbortController().signal,
    })
    expect(hits[0]?.best.key).toBe(6)
  },
)
