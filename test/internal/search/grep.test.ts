// Grep as the engine: names that could pass for output, and what it does not find.
import { expect, test } from 'vitest'
import { searchWithGrep } from '../../../internal/search/grep.ts'
import { means, plant } from '../../support/search.ts'

const wanted = {
  patterns: ['x'],
  regex: false,
  caseSensitive: true,
  word: false,
  max: 50,
  context: 0,
  room: 1 << 20,
}

test('finds matches in files whose names contain colons and line ends', async () => {
  const dir = plant({ a: 'ax', 'a:1:b': 'bx', 'a\n./a:1:c': 'cx', '-x': 'dx', bin: 'x\0x' })
  const found = await searchWithGrep({ dir, top: dir, hidden: false, guarded: true }, wanted, means())
  expect(found.files.map(({ name, lines }) => [name, lines.map((line) => line.text)])).toEqual([
    ['-x', ['dx']],
    ['a', ['ax']],
    ['a\n./a:1:c', ['cx']],
    ['a:1:b', ['bx']],
  ])
  expect(found.engine).toBe('grep')
})

test('searches more files than one command line can list', async () => {
  const dir = plant(
    Object.fromEntries(
      Array.from({ length: 400 }, (_, i) => [`${'d'.repeat(200)}/${'f'.repeat(200)}${i}`, 'x']),
    ),
  )
  const found = await searchWithGrep({ dir, top: dir, hidden: false, guarded: true }, wanted, means())
  expect(found.files).toHaveLength(400)
})
