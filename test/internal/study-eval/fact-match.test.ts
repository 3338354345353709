import { describe, expect, it } from 'vitest'
import {
  type KnownFact,
  overlapsPassage,
  proseStates,
  quotationStates,
} from '../../../internal/study-eval/fact-match.ts'

const fact = (over: Partial<KnownFact> = {}): KnownFact => ({
  id: 'f',
  question: 'q',
  required: true,
  stated: [{ path: 'docs/a.md', text: 'waits for 5 seconds' }],
  ...over,
})

it('accepts a quote that is a part of a passage or contains it, unless it is too short', () => {
  expect(overlapsPassage('It\n waits  for 5 seconds then.', 'waits for 5 seconds')).toBe(true)
  expect(overlapsPassage('for 5 seconds', 'waits for 5 seconds')).toBe(true)
  expect(overlapsPassage('5 seconds', 'waits for 5 seconds')).toBe(false)
  expect(overlapsPassage('waits for 50 seconds', 'waits for 5 seconds')).toBe(false)
})

describe('a quote', () => {
  it('counts from any file if it has the words of a passage', () => {
    expect(quotationStates('It waits for 5 seconds.', 'elsewhere.md', fact())).toBe(true)
  })

  it('counts by alternative words and by figures only from a file that states the fact', () => {
    const known = fact({ alternatives: ['Five Seconds'], figures: ['timeout', '5'] })
    expect(quotationStates('within five\nseconds', 'docs/a.md', known)).toBe(true)
    expect(quotationStates('within five seconds', 'docs/b.md', known)).toBe(false)
    expect(quotationStates('{ timeout: 5 }', 'docs/a.md', known)).toBe(true)
    expect(quotationStates('{ timeout: 5 }', undefined, known)).toBe(false)
    expect(quotationStates('5 tries', 'docs/a.md', known)).toBe(false)
  })
})

it.each([
  ['5', 'it is 5.', true],
  ['5', 'it is 50', false],
  ['5', 'it is 2.5 s', false],
  ['5', 'it is 1,500', false],
  ['5', 'a 5xx status', false],
  ['5', 'not 50 but 5', true],
  ['4e3', 'Default: `4e3`', true],
  ['tb__', 'the tool `tb__name`', false],
  ['--min-effect', 'by --min-effect (1 %)', true],
])('searches the figure %s as a word in %j: %s', (figure, text, expected) => {
  expect(proseStates(text, fact({ figures: [figure] }))).toBe(expected)
})

it('needs something to search for', () => {
  expect(proseStates('', fact({ stated: [], figures: [] }))).toBe(false)
})
