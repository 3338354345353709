// Lists that are longer than anyone reads.
import { expect, test } from 'vitest'
import { mostLines, shorten } from '../../../internal/render/part.ts'
import { makePen } from '../../../internal/render/pen.ts'
import { look } from './draw.ts'

test('items within the limit are all shown', () => {
  const items = new Array(mostLines).fill(0)
  const said: string[] = []
  expect(shorten(items, 'items', makePen(look), (code) => said.push(code))).toEqual({
    shown: items,
    rest: undefined,
  })
  expect(said).toEqual([])
})

test('one more leaves room for the line that says so', () => {
  const items = new Array(mostLines + 1).fill(0)
  const said: string[] = []
  const { shown, rest } = shorten(items, 'items', makePen(look), (code) => said.push(code))
  expect([shown.length, rest, said]).toEqual([mostLines - 1, '… 2 more items', ['truncated_rows']])
  expect(shorten(items, 'items', makePen({ ...look, all: true }), () => undefined).shown).toHaveLength(
    mostLines + 1,
  )
})
