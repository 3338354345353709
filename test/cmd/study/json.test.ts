import { expect, it } from 'vitest'
import { formatJson } from '../../../cmd/anode/io/json.ts'

it('gives the same value and no character that a terminal acts on', () => {
  const value = { text: 'a\u001b[31m\u009b31m\u202e\u2066\u200f\u0085\ufeff\n', more: ['é', '漢字'] }
  for (const text of [formatJson(value), formatJson(value, 2)]) {
    expect(JSON.parse(text)).toEqual(value)
    expect(text).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/)
  }
  expect(formatJson([1])).toBe('[1]\n')
})
