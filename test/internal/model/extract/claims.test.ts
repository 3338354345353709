// Checks which quotations are made of passages, and how they are shown.
import { expect, test } from 'vitest'
import { chooseClaims } from '../../../../internal/model/extract/claims.ts'
import type { ShownHit } from '../../../../internal/model/extract/found-passages.ts'

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

test('the best stretch is quoted word for word, its key line in bold', () => {
  const [claim] = chooseClaims([
    hit('one\ntwo\nthree\nfour', { line: 10, best: { from: 11, to: 12, key: 12 } }),
  ])
  expect(claim).toMatchObject({ from: 11, to: 12, quote: 'two\nthree', text: 'two\n**three**' })
})

test('marks of comments are taken off for show alone', () => {
  const quote = '/**\n * How long it waits.\n */\nexport const waitMs = 5'
  const [claim] = chooseClaims([hit(quote, { kind: 'code', best: { from: 1, to: 4, key: 4 } })])
  expect(claim?.quote).toBe(quote)
  expect(claim?.text).toBe('How long it waits.\n**export const waitMs = 5**')
  const [setting] = chooseClaims([hit('# Clients at once.\nmaxclients 10', { kind: 'config' })])
  expect(setting?.text).toBe('**Clients at once.**\nmaxclients 10')
})

test('titles, rules and fences of prose are no text of their own', () => {
  const text = '## Limits\n\n```js\nlimit = 5\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |'
  expect(chooseClaims([hit(text, { best: { from: 1, to: 9, key: 9 } })])[0]?.text).toBe(
    'Limits\nlimit = 5\n| a | b |\n| 1 | 2 |',
  )
})

test('the mark of a list item stays outside of the bold', () => {
  const [claim] = chooseClaims([hit('- **one** and\n- two')])
  expect(claim?.text).toBe('- **one and**\n- two')
})

test('six at most, no words twice, nothing weak unless its part has nothing else', () => {
  const many = Array.from({ length: 9 }, (_, i) => hit(`text ${i}`))
  expect(chooseClaims(many)).toHaveLength(6)
  expect(chooseClaims([hit('same'), hit('same', { path: 'b.md' })])).toHaveLength(1)
  expect(chooseClaims([hit('strong'), hit('weak', { score: 0.5 })])).toHaveLength(1)
  expect(chooseClaims([hit('strong'), hit('weak', { score: 0.5, part: 1 })])).toHaveLength(2)
  expect(chooseClaims([])).toEqual([])
})
