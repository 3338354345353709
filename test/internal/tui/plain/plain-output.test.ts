// Lines for a terminal that takes nothing: bounded, and what is missing is said.
import { expect, test } from 'vitest'
import { openPlainOutput } from '../../../../internal/tui/plain/plain-output.ts'

test('what a stopped terminal cannot take is left out and counted', () => {
  const written: string[] = []
  const output = { writableLength: 0, write: (text: string) => written.push(text) > 0 }
  const print = openPlainOutput(output as unknown as NodeJS.WriteStream)
  print(['one'])
  output.writableLength = 2_000_000
  print(['two', 'three'])
  print(['four'])
  output.writableLength = 0
  print(['five'])
  expect(written).toEqual([
    'one\n',
    '(3 lines are skipped here: the terminal accepted no output; they are in the thread)\nfive\n',
  ])
})
