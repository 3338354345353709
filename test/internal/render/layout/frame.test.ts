// Borders, titles, padding, margins around given lines.
import { expect, test } from 'vitest'
import {
  type BoxFrame,
  crossLines,
  drawFrame,
  fitFrame,
  sideCells,
} from '../../../../internal/render/layout/frame.ts'
import { makePen } from '../../../../internal/render/pen.ts'
import { unicodeGlyphs } from '../../../../internal/render/text/glyphs.ts'
import { look } from '../draw.ts'

const edges = (top: number, right: number, bottom: number, left: number) => ({ top, right, bottom, left })

const frame = (rest: Partial<BoxFrame> = {}): BoxFrame => ({
  margin: edges(0, 0, 0, 0),
  padding: edges(0, 0, 0, 0),
  border: edges(1, 1, 1, 1),
  glyphs: unicodeGlyphs().borders.single,
  borderColor: undefined,
  borderDim: false,
  backgroundColor: undefined,
  title: '',
  ...rest,
})

function draw(value: BoxFrame, width: number, height: number, content: string[]): string[] {
  const place = () => (y: number) => ({ text: content[y] ?? '', cells: (content[y] ?? '').length })
  const laid = drawFrame(
    value,
    { height: content.length, fixed: false, place },
    width,
    height,
    false,
    makePen(look),
  )
  const rows = laid.place(laid.height)
  return Array.from({ length: laid.height }, (_, y) => rows(y).text)
}

test('counts the cells and lines of the frame', () => {
  const value = frame({ margin: edges(1, 2, 3, 4), padding: edges(1, 1, 0, 2) })
  expect([sideCells(value), crossLines(value)]).toEqual([11, 3])
})

test('draws border, padding and margin', () => {
  const value = frame({ padding: edges(0, 1, 0, 1), margin: edges(1, 0, 0, 2) })
  expect(draw(value, 7, 3, ['abc'])).toEqual(['', '  ┌─────┐', '  │ abc │', '  └─────┘'])
})

test('draws a frame that is higher than its contents', () => {
  expect(draw(frame(), 3, 4, ['a'])).toEqual(['┌─┐', '│a│', '│ │', '└─┘'])
})

test('titles are cut to the border, and left out where only corners fit', () => {
  expect(draw(frame({ title: 'ab' }), 8, 2, [])[0]).toBe('┌─ ab ─┐')
  expect(draw(frame({ title: 'abcdef' }), 8, 2, [])[0]).toBe('┌─ a… ─┐')
  expect(draw(frame({ title: 'ab' }), 6, 2, [])[0]).toBe('┌────┐')
})

test('removes padding before borders if the frame does not fit', () => {
  const value = frame({ padding: edges(0, 3, 0, 3) })
  expect(fitFrame(value, 6).padding).toMatchObject({ left: 3, right: 1 })
  expect(fitFrame(value, 3).padding).toMatchObject({ left: 1, right: 0 })
  expect(fitFrame(value, 1)).toMatchObject({ border: { left: 0, right: 0, top: 1 } })
  expect(draw(fitFrame(frame(), 1), 1, 3, ['a'])).toEqual(['─', 'a', '─'])
})
