// The small steps of a reading.
import { expect, test } from 'vitest'
import {
  addDoubt,
  draftCommand,
  type ReaderState,
} from '../../../../../internal/policy/shell/syntax/reader-state.ts'
import { simpleCommand } from '../../../../../internal/policy/shell/syntax/simple-command.ts'

test('keeps the first doubt', () => {
  const work = { doubt: undefined } as ReaderState
  addDoubt(work, undefined)
  addDoubt(work, 'one')
  addDoubt(work, 'two')
  expect(work.doubt).toBe('one')
})

test('changing a copied command does not change the original', () => {
  const from = simpleCommand([])
  const copy = draftCommand(from)
  copy.words.push({ text: 'a', known: true, glob: false })
  expect(from.words).toEqual([])
})
