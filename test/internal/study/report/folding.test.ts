import { expect, it } from 'vitest'
import { isFolded, summarizeQuotes } from '../../../../internal/study/report/folding.ts'

const quote = (note: string) => ({ claim: 'C1.1', place: 'a.md:1', text: 'a', note })

it.each([
  [['verified'], '1 quote, found'],
  [['verified', 'in other words'], '2 quotes, found'],
  [['verified', 'not verified: quote_missing'], '2 quotes, 1 not verified'],
])('summarizes quotes with the notes %j', (notes, text) => {
  expect(summarizeQuotes({ quotes: notes.map(quote) })).toBe(text)
})

it.each([
  ['Answer', false],
  ['Sources', false],
  ['Budget', true],
  ['Reproduce', true],
])('collapses %s: %s', (title, folded) => {
  expect(isFolded(title)).toBe(folded)
})
