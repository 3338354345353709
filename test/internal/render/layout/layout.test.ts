// The arrangement of items that only have a size.
import { expect, test } from 'vitest'
import {
  emptyBlock,
  type LayoutFlow,
  type LayoutItem,
  layOutItems,
  naturalWidth,
} from '../../../../internal/render/layout/layout.ts'

const flow: LayoutFlow = {
  direction: 'row',
  wrap: 'nowrap',
  align: 'stretch',
  justify: 'flex-start',
  columnGap: 0,
  rowGap: 0,
}

interface Block extends LayoutItem {
  starved: boolean
}

/** Returns a block of one letter. */
function block(letter: string, width: number, height = 1, rest: Partial<LayoutItem> = {}): Block {
  return {
    grow: 0,
    shrink: 1,
    starved: false,
    wanted: () => undefined,
    least: () => 0,
    natural: () => width,
    starve() {
      this.starved = true
      return emptyBlock
    },
    lay: (cells) => ({
      height,
      fixed: false,
      place: (lines) => (y) => (y < lines ? { text: letter.repeat(cells), cells } : { text: '', cells: 0 }),
    }),
    ...rest,
  }
}

function draw(items: LayoutItem[], rest: Partial<LayoutFlow>, width: number, height?: number): string[] {
  const laid = layOutItems(items, { ...flow, ...rest }, width, height)
  const rows = laid.place(height ?? laid.height)
  return Array.from({ length: height ?? laid.height }, (_, y) => rows(y).text)
}

test('the natural width is a sum with gaps in a row, and the widest item in a column', () => {
  const items = [block('a', 3), block('b', 5)]
  expect(naturalWidth(items, { ...flow, columnGap: 2 })).toBe(10)
  expect(naturalWidth(items, { ...flow, direction: 'column' })).toBe(5)
  expect(naturalWidth([], flow)).toBe(0)
})

test('draws nothing without items', () => {
  expect(draw([], {}, 10)).toEqual([])
})

test('free cells go to items that grow, by their factor', () => {
  expect(draw([block('a', 1, 1, { grow: 1 }), block('b', 1, 1, { grow: 2 })], {}, 8)).toEqual(['aaabbbbb'])
})

test('a shortage is shared in proportion', () => {
  expect(draw([block('a', 10), block('b', 5)], {}, 6)).toEqual(['aaaabb'])
  expect(draw([block('a', 10, 1, { shrink: 0 }), block('b', 5)], {}, 12)).toEqual(['aaaaaaaaaabb'])
})

test('drops items that do not fit at one cell each', () => {
  const items = [block('a', 2), block('b', 2), block('c', 2)]
  expect(draw(items, { columnGap: 1 }, 3)).toEqual(['a b'])
  expect(items.map((item) => item.starved)).toEqual([false, false, true])
})

test('wraps a row to lines, from below on request', () => {
  const items = () => [block('a', 3), block('b', 3), block('c', 3)]
  expect(draw(items(), { wrap: 'wrap' }, 7)).toEqual(['aaabbb', 'ccc'])
  expect(draw(items(), { wrap: 'wrap-reverse', rowGap: 1 }, 7)).toEqual(['ccc', '', 'aaabbb'])
  expect(draw(items(), { wrap: 'wrap' }, 2)).toEqual(['aa', 'bb', 'cc'])
})

test('aligns items of different height in a row', () => {
  const items = () => [block('a', 1, 1), block('b', 1, 3)]
  expect(draw(items(), {}, 5)).toEqual(['ab', 'ab', 'ab'])
  expect(draw(items(), { align: 'flex-start' }, 5)).toEqual(['ab', ' b', ' b'])
  expect(draw(items(), { align: 'center' }, 5)).toEqual([' b', 'ab', ' b'])
  expect(draw(items(), { align: 'flex-end' }, 5)).toEqual([' b', ' b', 'ab'])
})

test('free lines of a column go to items that grow, or to the requested position', () => {
  expect(draw([block('a', 1, 1, { grow: 1 }), block('b', 1)], { direction: 'column' }, 1, 4)).toEqual([
    'a',
    'a',
    'a',
    'b',
  ])
  const items = () => [block('a', 1), block('b', 1)]
  expect(draw(items(), { direction: 'column', justify: 'space-between' }, 1, 4)).toEqual(['a', '', '', 'b'])
  expect(draw(items(), { direction: 'column-reverse', justify: 'flex-start' }, 1, 3)).toEqual(['', 'b', 'a'])
})

test('sets the widths of items in a column', () => {
  const wide = block('a', 3, 1, { wanted: () => 99 })
  expect(draw([wide, block('b', 3)], { direction: 'column' }, 5)).toEqual(['aaaaa', 'bbbbb'])
  expect(draw([block('b', 3)], { direction: 'column', align: 'flex-end' }, 5)).toEqual(['  bbb'])
  expect(
    draw([block('b', 1, 1, { least: () => 4 })], { direction: 'column', align: 'flex-start' }, 5),
  ).toEqual(['bbbb'])
})
