// Passages for a question of several parts: each passage is measured by the part that it is about.
import { expect, test } from 'vitest'
import { findPassages } from '../../../../internal/retrieval/find-passages.ts'
import { listTellingParts, weighByPart } from '../../../../internal/retrieval/rank/parts.ts'
import { parseQuestion } from '../../../../internal/retrieval/words.ts'
import { scratchWith } from '../../../support/scratch.ts'

const texts = {
  'a.md': 'Permissions of all the calls, wherever they come from, are decided by one function.\n',
  'b.md': 'The store survives a crash, since every line is synced before it is acknowledged.\n',
  // A text with words of each part and no information. Its words of the second part are rarer.
  'c.md': 'Permissions, the store, a crash: these are words that somebody may look for in here.\n',
  ...Object.fromEntries(
    ['read', 'write', 'run', 'ask', 'list', 'find'].flatMap((name) => [
      [`p-${name}.md`, `To ${name} needs permissions of its own, which somebody has to grant before.\n`],
      [
        `d-${name}.md`,
        `Whether to ${name} is decided later, when more of it is known than there is today.\n`,
      ],
    ]),
  ),
}
const question = 'How are permissions decided, and how does the store survive a crash?'

test('shows a passage about one part, even if many passages have words of both', async () => {
  const dir = scratchWith(texts)
  const files = Object.keys(texts).map((path) => ({ path, real: `${dir}/${path}` }))
  const { hits } = await findPassages({ files, question, limit: 3, signal: new AbortController().signal })
  expect(hits.map(({ path }) => path)).toEqual(expect.arrayContaining(['a.md', 'b.md']))
})

test('each part has the same total weight, and specific words weigh most', async () => {
  const parsed = await parseQuestion(question)
  const weights = parsed.terms.map((_, i) => i + 1)
  const all = weights.reduce((sum, one) => sum + one, 0)
  const byPart = weighByPart(parsed, weights)
  expect(byPart).toHaveLength(2)
  for (const [part, own] of byPart.entries()) {
    expect(own.reduce((sum, one) => sum + one, 0)).toBeCloseTo(all)
    for (const [i, weight] of own.entries())
      if (parsed.terms[i]?.part === part) expect(weight).toBeGreaterThan(weights[i] as number)
      else expect(weight).toBeLessThan(weights[i] as number)
  }
  const one = await parseQuestion('How are permissions decided?')
  const same = one.terms.map(() => 1)
  expect(weighByPart(one, same)).toEqual([same])
})

test('a part with only small words continues another part, and a word of two parts belongs to both', async () => {
  const two = await parseQuestion(
    'How does a relay restart, and what does it need, and why is a relay signed?',
  )
  const words = two.terms.map(({ word }) => word)
  const told = listTellingParts(
    two,
    two.terms.map(() => 1),
  ).map(({ part, weights }) => [part, words.filter((_, i) => (weights[i] ?? 0) > 0)])
  expect(told).toEqual([
    [0, ['relay', 'restart']],
    [2, ['relay', 'signed']],
  ])
  const even = two.terms.map(() => 1)
  expect(weighByPart(two, even)[1]).toEqual(even)
  const weak = await parseQuestion('What does it need?')
  expect(listTellingParts(weak, [1])).toHaveLength(weak.terms.length)
})
