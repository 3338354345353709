// The choice of quotes from passages, and their notation.
import { expect, test } from 'vitest'
import { chooseClaims as chooseFor } from '../../../../internal/model/extract/claims.ts'
import type { ShownHit } from '../../../../internal/model/extract/found-passages.ts'

const chooseClaims = (hits: readonly ShownHit[]) => chooseFor(hits, 'How long is the wait?')

const hit = (text: string, rest: Partial<ShownHit> = {}): ShownHit => {
  const lines = text.split('\n')
  const line = rest.line ?? 1
  return {
    path: 'a.md',
    line,
    lines,
    heading: '',
    kind: 'prose',
    score: 5,
    best: { from: line, to: line + lines.length - 1, key: line },
    part: 0,
    ...rest,
  }
}

test('quotes the best stretch word for word, with its key line in bold', () => {
  const [claim] = chooseClaims([
    hit('One.\nTwo.\nThree.\nFour.', { line: 10, best: { from: 11, to: 12, key: 12 } }),
  ])
  expect(claim).toMatchObject({
    from: 11,
    to: 12,
    quote: 'Two.\nThree.',
    text: 'Two.\nThree.',
    shown: 'Two.\n**Three.**',
  })
})

test('makes the sentence bold, wherever its lines are broken', () => {
  const text = 'Before it. The wait is\n5 seconds. After it.'
  const [claim] = chooseClaims([hit(text, { best: { from: 1, to: 2, key: 1 } })])
  expect(claim?.key).toBe('The wait is 5 seconds.')
  expect(claim?.shown).toBe('Before it. **The wait is**\n**5 seconds.** After it.')
})

test('removes comment markers only for display', () => {
  const quote = '/**\n * How long it waits.\n */\nexport const waitMs = 5'
  const [claim] = chooseClaims([hit(quote, { kind: 'code', best: { from: 1, to: 4, key: 4 } })])
  expect(claim?.quote).toBe(quote)
  expect(claim?.text).toBe('How long it waits.\nexport const waitMs = 5')
  expect(claim?.shown).toBe('How long it waits.\n**export const waitMs = 5**')
  const [setting] = chooseClaims([hit('# Clients at once.\nmaxclients 10', { kind: 'config' })])
  expect(setting?.shown).toBe('**Clients at once.**\nmaxclients 10')
})

test('hides markers of titles, rules and fences', () => {
  const text = '## Limits\n\n```js\nlimit = 5\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |'
  expect(chooseClaims([hit(text, { best: { from: 1, to: 9, key: 9 } })])[0]?.shown).toBe(
    'Limits\nlimit = 5\n| a | b |\n| 1 | 2 |',
  )
})

test('keeps the marker of a list item outside of the bold text', () => {
  const [claim] = chooseClaims([hit('- **one** and\n- two')])
  expect(claim?.shown).toBe('- **one and**\n- two')
})

test('quotes at most six passages, none twice, and weak ones only for a part without others', () => {
  const many = Array.from({ length: 9 }, (_, i) => hit(`text ${i}`))
  expect(chooseClaims(many)).toHaveLength(6)
  expect(chooseClaims([hit('same'), hit('same', { path: 'b.md' })])).toHaveLength(1)
  expect(chooseClaims([hit('strong'), hit('weak', { score: 0.5 })])).toHaveLength(1)
  expect(chooseClaims([hit('strong'), hit('weak', { score: 0.5, part: 1 })])).toHaveLength(2)
  expect(chooseClaims([])).toEqual([])
})

test.each([0, 1, 2, 5])('each part keeps a quote, however weak, and %i strong ones are dropped', (others) => {
  const on = (tells: number[]) => ({ from: 1, to: 1, key: 1, tells })
  const strong = Array.from({ length: 9 }, (_, i) => hit(`text ${i}`, { best: on([0]), score: 9 - i / 10 }))
  const weak = Array.from({ length: others }, (_, i) => hit(`part ${i}`, { best: on([i + 1]), score: 0.1 }))
  const quotes = chooseClaims([...strong, ...weak]).map(({ quote }) => quote)
  expect(quotes).toHaveLength(6)
  expect(quotes).toEqual(expect.arrayContaining(['text 0', ...weak.map((_, i) => `part ${i}`)]))
})

test('keeps a second quote for the part that only it answers', () => {
  const strong = Array.from({ length: 8 }, (_, i) =>
    hit(`text ${i}\nother ${i}`, { best: { from: 1, to: 1, key: 1, tells: [0] }, score: 9 - i / 10 }),
  )
  const [, , , , , , last] = strong
  if (last) last.second = { from: 2, to: 2, key: 2, tells: [1], share: 0.1 }
  expect(chooseClaims(strong).map(({ quote }) => quote)).toContain('other 6')
})

test('uses the most specific line as the key, and of a long line only the sentence', () => {
  const [line] = chooseClaims([hit('## Title\n- the wait is 5 s', { best: { from: 1, to: 2, key: 2 } })])
  expect(line?.key).toBe('the wait is 5 s')
  const filler = 'It says something else here and goes on for a while. '.repeat(4)
  const [long] = chooseClaims([hit(`${filler}The wait is 5 seconds. ${filler}`)])
  expect(long?.key).toBe('The wait is 5 seconds.')
  const [code] = chooseClaims([hit('  // How long it waits. */', { kind: 'code' })])
  expect(code?.key).toBe('How long it waits.')
})

test('quotes a contradiction next to the quote, even from a weak file', () => {
  const strong = hit('The spool keeps undelivered frames for 72 hours.')
  const weak = hit('The spool keeps undelivered frames for 48 hours.', { path: 'CHANGES', score: 1 })
  expect(chooseClaims([strong, weak]).map(({ path }) => path)).toEqual(['a.md', 'CHANGES'])
})

test('puts a second quote of a good passage before the first of a weak one', () => {
  const text = 'The wait is 5 seconds.\nOther.\nThe wait grows to 60.'
  const one = hit(text, {
    best: { from: 1, to: 1, key: 1 },
    second: { from: 3, to: 3, key: 3, share: 0.9 },
  })
  const quotes = chooseClaims([one, hit('Nobody waits.', { score: 3 })]).map(({ quote }) => quote)
  expect(quotes).toEqual(['The wait is 5 seconds.', 'The wait grows to 60.', 'Nobody waits.'])
})

test('puts prose and settings before programs if prose answers best', () => {
  const prose = (path: string, score: number) => hit(`It waits, says ${path}.`, { path, score })
  const code = hit('const wait = 5', { path: 'a.ts', kind: 'code', score: 4.5 })
  const paths = (hits: readonly ShownHit[]) => chooseClaims(hits).map(({ path }) => path)
  expect(paths([prose('a.md', 5), code, prose('b.md', 4)])).toEqual(['a.md', 'b.md', 'a.ts'])
  expect(paths([code, prose('b.md', 4)])).toEqual(['a.ts', 'b.md'])
})

test.each([0, 1, 2, 4])('puts the first quote that answers before the %i quotes that do not', (others) => {
  const on = (tells: number[]) => ({ from: 1, to: 1, key: 1, tells })
  const before = Array.from({ length: others }, (_, i) =>
    hit(`text ${i}`, { best: on([]), score: 9 - i / 10 }),
  )
  const words = before.map(({ lines }) => lines[0])
  const order = (score: number, kind: string, question = 'How long is the wait?') => {
    const answers = ['one', 'two'].map((text) => hit(text, { best: on([0]), score, kind }))
    return chooseFor([...before, ...answers], question).map(({ quote }) => quote)
  }
  for (const kind of ['prose', 'code']) {
    expect(order(8, kind)).toEqual(['one', ...words, 'two'])
    expect(order(5, kind)).toEqual([...words, 'one', 'two'])
    // A question with a part that no quote answers keeps the order of the scores.
    expect(order(8, kind, 'How long is the wait, and who ends it?')).toEqual([...words, 'one', 'two'])
  }
})

test('puts the value that a passage refers to at the sixth quote at the latest', () => {
  const others = Array.from({ length: 8 }, (_, i) => hit(`The wait is named ${'abcdefgh'[i]} here.`))
  const value = hit('WAIT_MS = Wait(5)', { path: 'a.py', kind: 'code', score: 2.5, follows: 'WAIT_MS' })
  const quoted = (...hits: ShownHit[]) => chooseClaims(hits).map(({ path }) => path)
  expect(quoted(...others, value)).toEqual(['a.md', 'a.md', 'a.md', 'a.md', 'a.md', 'a.py'])
  // a weak or repeated quote replaces no other quote
  expect(quoted(...others, { ...value, score: 1 })).not.toContain('a.py')
  expect(
    quoted(...others.slice(0, 3), value, ...others.slice(3), value).filter((one) => one === 'a.py'),
  ).toHaveLength(1)
  expect(quoted(...others.slice(0, 4), value)).toHaveLength(5)
})
