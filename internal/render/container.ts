// Containers: a box of settled properties and its children become one item of the layout.
import { crossLines, enclose, type Frame, fitFrame, sideCells } from './frame.ts'
import { arrange, type Flow, type Item, isRow, type Laid, naturalWidth, nothing } from './layout.ts'
import type { Pen } from './pen.ts'

/** Cells or lines, or a share of those there are. */
export type Extent = { cells: number } | { share: number }

export interface Container {
  frame: Frame
  flow: Flow
  grow: number
  shrink: number
  /** Sizes include border and padding, not the margin. */
  width: Extent | undefined
  height: Extent | undefined
  minWidth: Extent | undefined
  minHeight: Extent | undefined
  /** Cuts contents that are higher than the height asked for; otherwise the box grows. */
  clips: boolean
}

export function containerItem(
  container: Container,
  kids: readonly Item[],
  pen: Pen,
  starve: () => void,
): Item {
  const { frame, flow } = container
  const margins = frame.margin.left + frame.margin.right
  const around = (size: number | undefined) =>
    size === undefined ? undefined : size > 0 ? size + margins : 0
  let natural: number | undefined
  return {
    grow: container.grow,
    shrink: container.shrink,
    wanted: (available) => around(resolve(container.width, available - margins)),
    least: (available) => around(resolve(container.minWidth, available - margins)) ?? 0,
    natural() {
      natural ??= Math.max(naturalWidth(kids, flow) + sideCells(frame), this.least(Number.NaN))
      return natural
    },
    lay: (width, height) => lay(container, kids, width, height, pen),
    starve() {
      starve()
      return nothing
    },
  }
}

/** Undefined for a share of something unknown (NaN or undefined). A share above zero is at least one cell. */
function resolve(extent: Extent | undefined, available: number | undefined): number | undefined {
  if (!extent) return undefined
  if ('cells' in extent) return extent.cells
  if (available === undefined || Number.isNaN(available)) return undefined
  return extent.share > 0 ? Math.max(1, Math.round(extent.share * available)) : 0
}

function lay(
  container: Container,
  kids: readonly Item[],
  given: number,
  outer: number | undefined,
  pen: Pen,
): Laid {
  const frame = fitFrame(container.frame, given)
  const width = Math.max(0, given - frame.margin.left - frame.margin.right)
  const inner = Math.max(0, given - sideCells(frame))
  const cross = crossLines(frame)
  const wanted = resolve(container.height, outer)
  const least = Math.max(resolve(container.minHeight, outer) ?? 0, frame.border.top + frame.border.bottom)
  const content = arrange(
    kids,
    container.flow,
    inner,
    wanted === undefined ? undefined : Math.max(0, wanted - cross),
  )
  if (width === 0) return { height: 0, fixed: true, place: content.place }
  const own = content.height + cross
  const height = Math.max(
    least,
    wanted === undefined ? own : container.clips ? wanted : Math.max(wanted, own),
  )
  return enclose(frame, content, width, height, wanted !== undefined, pen)
}

/**
 * A row at the root whose children do not fit becomes a column: most specs whose author forgot the direction.
 * Children that asked for a share of the width fit in any case.
 */
export function mustWrap(
  { frame, flow, width }: Container,
  kids: readonly Item[],
  available: number,
): boolean {
  if (!isRow(flow) || flow.wrap !== 'nowrap' || kids.length < 2) return false
  const inner = (resolve(width, available) ?? available) - sideCells(frame)
  const sizes = kids.map((kid) => {
    const fixed = kid.wanted(Number.NaN)
    return fixed ?? (kid.wanted(inner) === undefined ? kid.natural() : 1)
  })
  return sizes.reduce((sum, size) => sum + size, flow.columnGap * (kids.length - 1)) > inner
}
