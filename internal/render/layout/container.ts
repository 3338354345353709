// Containers: conversion of a box and its children to one item of the layout.

import type { Pen } from '../pen.ts'
import { type BoxFrame, crossLines, drawFrame, fitFrame, sideCells } from './frame.ts'
import {
  emptyBlock,
  isRow,
  type LayoutBlock,
  type LayoutFlow,
  type LayoutItem,
  layOutItems,
  naturalWidth,
} from './layout.ts'

/**
 * A number of cells (of lines for a height), or a share of the available ones. A share is from 0 to 5,
 * because a percentage may be up to `500%`.
 */
export type BoxExtent = { cells: number } | { share: number }

export interface BoxContainer {
  frame: BoxFrame
  flow: LayoutFlow
  grow: number
  shrink: number
  /** Requested size, including border and padding but not the margin. */
  width: BoxExtent | undefined
  height: BoxExtent | undefined
  minWidth: BoxExtent | undefined
  minHeight: BoxExtent | undefined
  /**
   * True if content that is higher than the requested height is clipped. Otherwise the box becomes higher.
   */
  clips: boolean
}

export function containerItem(
  container: BoxContainer,
  kids: readonly LayoutItem[],
  pen: Pen,
  starve: () => void,
): LayoutItem {
  const { frame, flow } = container
  const margins = frame.margin.left + frame.margin.right
  const withMargins = (size: number | undefined) =>
    size === undefined ? undefined : size > 0 ? size + margins : 0
  let natural: number | undefined
  return {
    grow: container.grow,
    shrink: container.shrink,
    wanted: (available) => withMargins(resolveExtent(container.width, available - margins)),
    least: (available) => withMargins(resolveExtent(container.minWidth, available - margins)) ?? 0,
    natural() {
      natural ??= Math.max(naturalWidth(kids, flow) + sideCells(frame), this.least(Number.NaN))
      return natural
    },
    lay: (width, height) => layOutContainer(container, kids, width, height, pen),
    starve() {
      starve()
      return emptyBlock
    },
  }
}

/**
 * Returns the size in cells; undefined without `extent`, or for a share of an unknown size (NaN or
 * undefined). A share above zero is at least one cell.
 */
function resolveExtent(extent: BoxExtent | undefined, available: number | undefined): number | undefined {
  if (!extent) return undefined
  if ('cells' in extent) return extent.cells
  if (available === undefined || Number.isNaN(available)) return undefined
  return extent.share > 0 ? Math.max(1, Math.round(extent.share * available)) : 0
}

function layOutContainer(
  container: BoxContainer,
  kids: readonly LayoutItem[],
  outerWidth: number,
  outer: number | undefined,
  pen: Pen,
): LayoutBlock {
  const frame = fitFrame(container.frame, outerWidth)
  const width = Math.max(0, outerWidth - frame.margin.left - frame.margin.right)
  const inner = Math.max(0, outerWidth - sideCells(frame))
  const cross = crossLines(frame)
  const requestedHeight = resolveExtent(container.height, outer)
  const least = Math.max(
    resolveExtent(container.minHeight, outer) ?? 0,
    frame.border.top + frame.border.bottom,
  )
  const content = layOutItems(
    kids,
    container.flow,
    inner,
    requestedHeight === undefined ? undefined : Math.max(0, requestedHeight - cross),
  )
  if (width === 0) return { height: 0, fixed: true, place: content.place }
  const ownHeight = content.height + cross
  const height = Math.max(
    least,
    requestedHeight === undefined
      ? ownHeight
      : container.clips
        ? requestedHeight
        : Math.max(requestedHeight, ownHeight),
  )
  return drawFrame(frame, content, width, height, requestedHeight !== undefined, pen)
}

/**
 * Returns true if two or more children of a row that must not wrap do not fit next to each other, so that the
 * row becomes a column. Specs with too wide rows usually forgot to set a direction. A child whose width is a
 * share counts as one cell, because it always fits.
 */
export function mustWrap(
  { frame, flow, width }: BoxContainer,
  kids: readonly LayoutItem[],
  available: number,
): boolean {
  if (!isRow(flow) || flow.wrap !== 'nowrap' || kids.length < 2) return false
  const inner = (resolveExtent(width, available) ?? available) - sideCells(frame)
  const sizes = kids.map((kid) => {
    const fixed = kid.wanted(Number.NaN)
    return fixed ?? (kid.wanted(inner) === undefined ? kid.natural() : 1)
  })
  return sizes.reduce((sum, size) => sum + size, flow.columnGap * (kids.length - 1)) > inner
}
