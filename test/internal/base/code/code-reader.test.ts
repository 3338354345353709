// Lines of code with this installation's grammars.
import { expect, test } from 'vitest'
import { readCodeLines } from '../../../../internal/base/code/code-reader.ts'

test('returns the runs of each line, and continues a comment over lines', () => {
  expect(readCodeLines('/* a\n\nb */ 1', 'ts')).toEqual([
    [{ text: '/* a', kind: 'comment' }],
    [],
    [
      { text: 'b */', kind: 'comment' },
      { text: ' ', kind: undefined },
      { text: '1', kind: 'number' },
    ],
  ])
})

test.each([
  ['', 'ts'],
  ['const a', undefined],
  ['const a', 'no-such-language'],
  ['a'.repeat(1_000_000), 'ts'],
])('%.20s as %s stays plain', (text, language) => {
  expect(readCodeLines(text, language)).toBeUndefined()
})
