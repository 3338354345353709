// Commands made by hand.
import { expect, test } from 'vitest'
import { plainWord, simpleCommand } from '../../../../../internal/policy/shell/syntax/simple-command.ts'

test('a simple command consists only of its words', () => {
  expect(simpleCommand([plainWord('a')])).toEqual({
    words: [{ text: 'a', known: true, glob: false }],
    sets: [],
    writes: [],
    reads: [],
    stdin: undefined,
    odd: undefined,
    unseen: false,
  })
})
