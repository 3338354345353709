// Quotes for questions of several parts: each part has a quote, or is listed as open.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chooseClaims } from '../../../../internal/model/extract/claims.ts'
import { readFiledPassages } from '../../../../internal/model/extract/found-passages.ts'
import { findPassages } from '../../../../internal/retrieval/find-passages.ts'
import { quoteEachPart } from '../../../../internal/retrieval/quotation/quote-parts.ts'
import {
  createTermScanner,
  type ScanTerms,
  type TermPlace,
} from '../../../../internal/retrieval/term-scanner.ts'
import { parseQuestion } from '../../../../internal/retrieval/words.ts'
import { describePassages } from '../../../../internal/retrieval/workspace-passages.ts'
import { scratchWith } from '../../../support/scratch.ts'

const topics = [
  { ask: 'How does the relay do a phased restart', tell: 'A phased restart of the relay ends one worker.' },
  { ask: 'what is the default heartbeat interval', tell: 'The default heartbeat interval is 5 seconds.' },
  { ask: 'which signals rotate the journal', tell: 'Of the signals, USR1 makes it rotate the journal.' },
  { ask: 'how are tokens signed', tell: 'All tokens are signed with the key of the house.' },
]
/** Text between words of each topic, so that two words of one topic are never near each other. */
const gap = 'Nothing of this was ever decided by anybody who was there to see what came of it. '.repeat(5)
const scattered = ['phased', 'heartbeat', 'signals', 'tokens', 'restart', 'interval', 'rotate', 'signed']
  .map((word) => `Somebody said ${word}. ${gap}`)
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
