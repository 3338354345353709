// Layout of stacked and adjacent items: the cells of each item, and the content of each line.
import { blankLine, makeSpaces, padLine, type RenderedLine } from '../pen.ts'
import { divideCells, type JustifyContent, shrinkSizes, spreadGaps } from './divide-cells.ts'

/**
 * Returns the line at a height, counted from 0. The caller asks for each line at most once, from
 * the top down.
 */
type RowSource = (y: number) => RenderedLine

/**
 * An item that was laid out in a fixed width: its natural height, and its lines for a height. A larger height
 * than the natural one adds space; a smaller one cuts lines off.
 */
export interface LayoutBlock {
  height: number
  /** True if the height of the item was set, so that it is not stretched. */
  fixed: boolean
  place(height: number): RowSource
}

/** One child of a box. */
export interface LayoutItem {
  grow: number
  shrink: number
  /**
   * Returns the number of cells that the item requests out of `available` (NaN if that is unknown), or
   * undefined if its contents decide.
   */
  wanted(available: number): number | undefined
  /** Returns the smallest number of cells that the item accepts out of `available`. */
  least(available: number): number
  /** Returns the number of cells that the contents need if no text is wrapped. */
  natural(): number
  /** Lays out the item; `height` is that of the surrounding box, if known. */
  lay(width: number, height: number | undefined): LayoutBlock
  /**
   * Called instead of `lay` if no cell is left for the item. Reports content that is not shown as a warning.
   */
  starve(): LayoutBlock
}

export interface LayoutFlow {
  direction: 'row' | 'row-reverse' | 'column' | 'column-reverse'
  wrap: 'nowrap' | 'wrap' | 'wrap-reverse'
  align: 'flex-start' | 'center' | 'flex-end' | 'stretch'
  justify: JustifyContent
  columnGap: number
  rowGap: number
}

export const emptyBlock: LayoutBlock = { height: 0, fixed: false, place: () => () => blankLine }

/** Lays out children in `width` cells; `height` is set if the box has one. */
export function layOutItems(
  items: readonly LayoutItem[],
  flow: LayoutFlow,
  width: number,
  height: number | undefined,
): LayoutBlock {
  if (items.length === 0) return emptyBlock
  if (isRow(flow)) return arrangeRows(items, flow, width, height)
  const ordered = flow.direction === 'column' ? items : items.toReversed()
  const laid = ordered.map((item) => layInColumn(item, flow, width, height))
  return stackBlocks(laid, flow, flow.direction === 'column' ? flow.justify : mirrorJustify(flow.justify))
}

/** Returns the number of cells that the children need if no text is wrapped. */
export function naturalWidth(items: readonly LayoutItem[], flow: LayoutFlow): number {
  const sizes = items.map((item) => item.wanted(Number.NaN) ?? item.natural())
  if (!isRow(flow)) return sizes.reduce((max, size) => Math.max(max, size), 0)
  return sizes.reduce((sum, size) => sum + size, Math.max(0, sizes.length - 1) * flow.columnGap)
}

export const isRow = (flow: LayoutFlow) => flow.direction === 'row' || flow.direction === 'row-reverse'

const mirrorJustify = (justify: JustifyContent): JustifyContent =>
  justify === 'flex-start' ? 'flex-end' : justify === 'flex-end' ? 'flex-start' : justify

const offsetFor = (align: LayoutFlow['align'], free: number) =>
  align === 'center' ? free >> 1 : align === 'flex-end' ? free : 0

interface PlacedBlock {
  laid: LayoutBlock
  grow: number
}

function layInColumn(
  item: LayoutItem,
  flow: LayoutFlow,
  width: number,
  height: number | undefined,
): PlacedBlock {
  const wantedSize = item.wanted(width) ?? (flow.align === 'stretch' ? width : item.natural())
  const size = Math.min(width, Math.max(wantedSize, item.least(width)))
  const laid = layItem(item, Math.max(0, size), width, height)
  const leftSpaces = makeSpaces(offsetFor(flow.align, width - size))
  if (leftSpaces.cells === 0) return { laid, grow: item.grow }
  const place = (h: number): RowSource => {
    const rows = laid.place(h)
    return (y) => indentLine(leftSpaces, rows(y))
  }
  return { laid: { ...laid, place }, grow: item.grow }
}

/**
 * Lays out an item in `size` cells. Without any cell, `starve` is called instead of `lay`. An item that
 * requested 0 cells is laid out in any case, so that its children can report that they are not shown.
 */
function layItem(item: LayoutItem, size: number, width: number, height: number | undefined): LayoutBlock {
  if (size > 0 || item.wanted(width) === 0) return item.lay(size, height)
  return item.starve()
}

const indentLine = (indentation: RenderedLine, line: RenderedLine): RenderedLine =>
  line.cells === 0 ? line : { text: indentation.text + line.text, cells: indentation.cells + line.cells }

/**
 * Stacks items on top of each other. Items that may grow share the free height. If no item may grow,
 * `justify` decides where the free height is.
 */
function stackBlocks(parts: readonly PlacedBlock[], flow: LayoutFlow, justify: JustifyContent): LayoutBlock {
  const gaps = flow.rowGap * (parts.length - 1)
  const height = parts.reduce((sum, { laid }) => sum + laid.height, gaps)
  const place = (total: number): RowSource => {
    const free = Math.max(0, total - height)
    const grows = parts.map((part) => part.grow)
    const growing = grows.some((grow) => grow > 0)
    const extra = divideCells(free, grows)
    const before = spreadGaps(justify, growing ? 0 : free, parts.length)
    const starts: number[] = []
    let y = 0
    const rows = parts.map(({ laid }, i) => {
      y += before[i] as number
      starts.push(y)
      const size = laid.height + (extra[i] as number)
      y += size + flow.rowGap
      return { size, rows: laid.place(size) }
    })
    let at = 0
    return (line) => {
      while (at + 1 < rows.length && (starts[at + 1] as number) <= line) at++
      const inside = line - (starts[at] as number)
      const part = rows[at] as { size: number; rows: RowSource }
      return inside >= 0 && inside < part.size ? part.rows(inside) : blankLine
    }
  }
  return { height, fixed: false, place }
}

function arrangeRows(
  items: readonly LayoutItem[],
  flow: LayoutFlow,
  width: number,
  height: number | undefined,
): LayoutBlock {
  const sizes = items.map((item) => Math.max(item.wanted(width) ?? item.natural(), item.least(width)))
  if (flow.wrap === 'nowrap') return layLine(items, sizes, flow, width, height)
  const lines: LayoutBlock[] = []
  for (let start = 0; start < items.length; ) {
    let end = start + 1
    let lineCells = sizes[start] as number
    while (end < items.length && lineCells + flow.columnGap + (sizes[end] as number) <= width) {
      lineCells += flow.columnGap + (sizes[end] as number)
      end++
    }
    lines.push(layLine(items.slice(start, end), sizes.slice(start, end), flow, width, undefined))
    start = end
  }
  const ordered = flow.wrap === 'wrap' ? lines : lines.toReversed()
  return stackBlocks(
    ordered.map((laid) => ({ laid, grow: 0 })),
    flow,
    'flex-start',
  )
}

/**
 * Lays out one line of a row. Items that grow share free cells; if no item grows, `justify` decides where
 * these cells are. Items that shrink share a shortage, and cells beyond the width are cut off.
 */
function layLine(
  items: readonly LayoutItem[],
  wantedSizes: readonly number[],
  flow: LayoutFlow,
  width: number,
  height: number | undefined,
): LayoutBlock {
  const gaps = flow.columnGap * (items.length - 1)
  const free = width - gaps - wantedSizes.reduce((sum, size) => sum + size, 0)
  const grows = items.map((item) => item.grow)
  const growing = grows.some((grow) => grow > 0)
  const floors = items.map((item, i) => Math.min(wantedSizes[i] as number, Math.max(1, item.least(width))))
  const extra = divideCells(Math.max(0, free), grows)
  const factors = items.map((item) => item.shrink)
  const sizes =
    free >= 0
      ? wantedSizes.map((size, i) => size + (extra[i] as number))
      : shrinkSizes(wantedSizes, floors, factors, -free)
  const reversed = flow.direction === 'row-reverse'
  const justify = reversed ? mirrorJustify(flow.justify) : flow.justify
  const before = spreadGaps(justify, growing ? 0 : Math.max(0, free), items.length)
  const order = reversed ? items.map((_, i) => items.length - 1 - i) : items.map((_, i) => i)
  let x = 0
  const parts = order.map((i, place) => {
    const item = items[i] as LayoutItem
    x += before[place] as number
    const size = Math.max(0, Math.min(sizes[i] as number, width - x))
    const part = { x, size, laid: layItem(item, size, width, height) }
    x += size + flow.columnGap
    return part
  })
  const tallest = parts.reduce((max, { laid }) => Math.max(max, laid.height), 0)
  return { height: tallest, fixed: false, place: (total) => joinColumns(parts, flow.align, total) }
}

/** Returns the lines of parts that are next to each other. */
function joinColumns(
  parts: readonly { x: number; size: number; laid: LayoutBlock }[],
  align: LayoutFlow['align'],
  height: number,
): RowSource {
  const columns = parts.map(({ x, size, laid }) => {
    const partHeight = align === 'stretch' && !laid.fixed ? Math.max(height, laid.height) : laid.height
    return {
      x,
      size,
      top: offsetFor(align, Math.max(0, height - partHeight)),
      own: partHeight,
      rows: laid.place(partHeight),
    }
  })
  return (y) => {
    let line = blankLine
    for (const { x, size, top, own: partHeight, rows } of columns) {
      if (size === 0 || y < top || y >= top + partHeight) continue
      const part = rows(y - top)
      if (part.cells === 0) continue
      const start = padLine(line, x)
      line = { text: start.text + part.text, cells: start.cells + part.cells }
    }
    return line
  }
}
