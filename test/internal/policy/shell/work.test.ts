// The small steps of a reading.
import { expect, test } from 'vitest'
import { simple } from '../../../../internal/policy/shell/command.ts'
import { doubt, grow, type Work } from '../../../../internal/policy/shell/work.ts'

test('the first doubt stays', () => {
  const work = { doubt: undefined } as Work
  doubt(work, undefined)
  doubt(work, 'one')
  doubt(work, 'two')
  expect(work.doubt).toBe('one')
})

test('a growing command does not touch the one it came from', () => {
  const from = simple([])
  const copy = grow(from)
  copy.words.push({ text: 'a', known: true, glob: false })
  expect(from.words).toEqual([])
})
