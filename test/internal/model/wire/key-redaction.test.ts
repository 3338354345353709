// Checks that keys leave no text.
import { expect, test } from 'vitest'
import { redactKeys, redactLine } from '../../../../internal/model/wire/key-redaction.ts'

const cases: [string, string[], string][] = [
  ['the key s3cr3t-value is wrong', ['s3cr3t-value'], 'the key [key removed] is wrong'],
  ['twice s3cr3t s3cr3t', ['s3cr3t'], 'twice [key removed] [key removed]'],
  ['short words stay', ['stay'], 'short words stay'],
  ['longer first: abcdef-long', ['abcdef', 'abcdef-long'], 'longer first: [key removed]'],
  ['Incorrect API key provided: sk-proj-ABCDEFGHIJKLMNOP.', [], 'Incorrect API key provided: [key removed].'],
  ['authorization: Bearer abc.def-ghi_jkl', [], 'authorization: Bearer [key removed]'],
  ['gsk_0123456789abcdef and AIzaSyA0123456789abcdefghij', [], '[key removed] and [key removed]'],
  ['task-based sk-short', [], 'task-based sk-short'],
]
test.each(cases)('removes keys from %s', (text, keys, expected) =>
  expect(redactKeys(text, keys)).toBe(expected),
)

test('redactLine gives one short line without control characters', () => {
  expect(redactLine(' a\r\n\tb\u001b[31m c\u0000 ', [])).toBe('a b [31m c')
  expect(redactLine('x'.repeat(500), [], 100)).toHaveLength(100)
})
