// States of claims: true ones, and the same ones with another number, a denial, another name or other quotes.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { judgeClaim } from '../../../../internal/study/verify/claim-state.ts'
import { random } from '../../../support/search.ts'
import { root } from '../../../support/sources.ts'

interface Pair {
  path: string
  excerpt: string
  quote: string
  text: string
  denied?: string
}
const pairs: Pair[] = JSON.parse(readFileSync(join(root, 'test/fixtures/claims/pairs.json'), 'utf8'))
const judge = ({ path, excerpt, quote }: Pair, text: string, words = quote) =>
  judgeClaim(text, [{ quote: words, excerpt, path }])

describe('pairs of our own', () => {
  it.each(pairs)('$text', (pair) => {
    expect(judge(pair, pair.text)).toBe('verified')
    if (pair.denied) expect(judge(pair, pair.denied)).toBe('quoted')
  })

  it('another number is only quoted', () => {
    const next = random(7)
    for (const pair of pairs.filter(({ text }) => /\d/.test(text))) {
      for (let i = 0; i < 20; i++) {
        const factor = 2 + Math.floor(next() * 90)
        const text = pair.text.replace(/\d+(?:\.\d+)?/g, (number) => `${Number(number) * factor + 1}`)
        expect([text, judge(pair, text)]).toEqual([text, 'quoted'])
      }
    }
  })

  it('a name that is nowhere around is only quoted', () => {
    for (const pair of pairs) {
      const text = `\`drain_reservoir\` does this: ${pair.text}`
      expect([text, judge(pair, text)]).toEqual([text, 'quoted'])
    }
  })

  it('a claim about another text is only quoted', () => {
    const wrong = pairs.flatMap((pair) =>
      pairs.filter(({ path }) => path !== pair.path).map(({ text }) => judge(pair, text)),
    )
    expect(wrong).not.toContain('not_found')
    expect(wrong.filter((state) => state === 'verified').length / wrong.length).toBeLessThan(0.01)
  })

  it('a quote with one other word is not found', () => {
    const next = random(8)
    for (const pair of pairs) {
      const words = [...pair.quote.matchAll(/\p{L}{3,}/gu)]
      for (let i = 0; i < 10; i++) {
        const { index = 0, 0: word } = words[Math.floor(next() * words.length)] as RegExpExecArray
        const quote = `${pair.quote.slice(0, index)}zebra${pair.quote.slice(index + word.length)}`
        expect([quote, judge(pair, pair.text, quote)]).toEqual([quote, 'not_found'])
      }
    }
  })

  it('pieces count in their order only', () => {
    for (const pair of pairs) {
      const words = pair.quote.split(/\s+/)
      if (words.length < 6 || words.includes('…')) continue
      const half = words.length >> 1
      const [start, end] = [words.slice(0, half - 1).join(' '), words.slice(half + 1).join(' ')]
      for (const mark of ['…', ' ... ', ' […] '])
        expect(judge(pair, pair.text, `${start}${mark}${end}`)).not.toBe('not_found')
      expect(judge(pair, pair.text, `${end} … ${start}`)).toBe('not_found')
    }
  })
})

describe('the form of a quote', () => {
  const excerpt = '/**\n * A ring never “grows”:\n * its size is fixed at 64.\n */\n# key = 640\n'
  it.each([
    ['A ring never "grows": its size is fixed at 64.', true],
    ['A ring  never “grows” :\n its size', true],
    [' * A ring never “grows”:\n * its size', true],
    ['key=640', true],
    ['key = 64', false],
    ['size is fixed at 6', false],
    ['A ring … fixed', true],
    ['fixed … A ring', false],
    ['A ring … "shrinks"', false],
    ['…', false],
    ['', false],
  ])('%j: %s', (quote, isFound) => {
    expect(judgeClaim('A ring.', [{ quote, excerpt }]) !== 'not_found').toBe(isFound)
  })
})

it('needs every one of several places', () => {
  const limit = { excerpt: 'const LIMIT = 20', quote: 'const LIMIT = 20', path: 'a.ts' }
  const wait = { excerpt: 'The second wait is 30 seconds.', quote: 'wait is 30 seconds', path: 'b.md' }
  const text = 'The limit is 20 and the wait 30 seconds.'
  expect(judgeClaim(text, [limit, wait])).toBe('verified')
  expect(judgeClaim(text, [limit])).toBe('quoted')
  expect(judgeClaim(text, [limit, { ...wait, quote: 'wait is 31 seconds' }])).toBe('not_found')
  expect(judgeClaim(text, [])).toBe('not_found')
})

/** A file of judged pairs with foreign texts, which this repository does not contain. */
const file = process.env['ANODE_CLAIMS'] ?? ''
const goals: Readonly<Record<string, number>> = {
  verified: 0.9,
  'wrong-number': 0.88,
  'wrong-subject': 0.88,
  unrelated: 0.88,
  'wrong-denial': 0.5,
  not_found: 1,
}

interface JudgedPair {
  label: string
  file: string
  excerpt: string
  claim: string
  quotes: string[]
  expect: string
}

it.skipIf(!existsSync(file))(
  'judged pairs of foreign texts reach their goals (ANODE_CLAIMS=FILE runs this)',
  () => {
    const judged: JudgedPair[] = JSON.parse(readFileSync(file, 'utf8')).pairs
    const shares = new Map<string, boolean[]>()
    for (const pair of judged) {
      const places = pair.quotes.map((quote) => ({ quote, excerpt: pair.excerpt, path: pair.file }))
      const key = pair.expect === 'quoted' ? pair.label.replace('->quoted', '') : pair.expect
      shares.set(key, [...(shares.get(key) ?? []), judgeClaim(pair.claim, places) === pair.expect])
    }
    for (const [key, list] of shares) {
      const share = list.filter(Boolean).length / list.length
      expect(share, key).toBeGreaterThanOrEqual(goals[key] ?? 0.88)
    }
  },
)
