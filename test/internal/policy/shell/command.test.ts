// Commands made by hand.
import { expect, test } from 'vitest'
import { plainWord, simple } from '../../../../internal/policy/shell/command.ts'

test('a simple command is its words and nothing else', () => {
  expect(simple([plainWord('a')])).toEqual({
    words: [{ text: 'a', known: true, glob: false }],
    sets: [],
    writes: [],
    reads: [],
    stdin: undefined,
    odd: undefined,
    unseen: false,
  })
})
