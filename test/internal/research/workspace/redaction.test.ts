// The redaction of a secret at every position, and of nothing else.
import { expect, it } from 'vitest'
import { redactorOf } from '../../../../internal/research/workspace/redaction.ts'

const secret = 'test "$(bash prog.sh)" = 4217\n  second line of it\nshort\n'
const redact = redactorOf([secret])

it.each([
  ['as a whole', secret],
  ['one line inside of another', 'x test "$(bash prog.sh)" = 4217 y'],
  ['a part of a line', '… $(bash prog.sh)" = 42'],
  ['in colours', [...'second line of it'].join('\u001b[31m')],
  ['with characters that are not seen', [...'second line of it'].join('\u200b')],
  ['a short line', 'a short one'],
  ['with a carriage return', 'second line of it\r'],
])('redacts %s', (_, text) => {
  const left = redact(text)
  expect(left).toContain('[cut: holdout]')
  for (const word of ['bash prog.sh', 'second line', 'short']) expect(left).not.toContain(word)
})

it('keeps similar text', () => {
  for (const text of ['', 'a second lin', 'test "$(bas', 'METRIC ms=4217', '\u001b[31mred\u001b[0m'])
    expect(redact(text)).toBe(text)
  expect(redactorOf([])(secret)).toBe(secret)
  expect(redactorOf(['a\n\nb\n'])('a b')).toBe('a b')
})

it('is fast with a megabyte', () => {
  const began = performance.now()
  redact('x'.repeat(1 << 20))
  expect(performance.now() - began).toBeLessThan(10_000)
})
