// Lists that are longer than anyone reads.
import { expect, test } from 'vitest'
import { limitItems, maxComponentLines } from '../../../../internal/render/component/component.ts'
import { makePen } from '../../../../internal/render/pen.ts'
import { look } from '../draw.ts'

test('items within the limit are all shown', () => {
  const items = new Array(maxComponentLines).fill(0)
  const said: string[] = []
  expect(limitItems(items, 'items', makePen(look), (code) => said.push(code))).toEqual({
    shown: items,
    rest: undefined,
  })
  expect(said).toEqual([])
})

test('one item above the limit leaves room for the line with the count', () => {
  const items = new Array(maxComponentLines + 1).fill(0)
  const said: string[] = []
  const { shown, rest } = limitItems(items, 'items', makePen(look), (code) => said.push(code))
  expect([shown.length, rest, said]).toEqual([maxComponentLines - 1, '… 2 more items', ['truncated_rows']])
  expect(limitItems(items, 'items', makePen({ ...look, all: true }), () => undefined).shown).toHaveLength(
    maxComponentLines + 1,
  )
})
