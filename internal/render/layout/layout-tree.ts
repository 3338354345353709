// Conversion of checked elements to layout items and to plain text. An error in a component is recorded, and
// the component has no content.

import { badge } from '../component/badge.ts'
import { barChart } from '../component/bar-chart.ts'
import { layOutBox } from '../component/box.ts'
import { callout } from '../component/callout.ts'
import { layOutCard } from '../component/card.ts'
import type { ComponentRenderer, WarningReporter } from '../component/component.ts'
import { divider } from '../component/divider.ts'
import { heading } from '../component/heading.ts'
import { keyValue } from '../component/key-value.ts'
import { list } from '../component/list.ts'
import { metric } from '../component/metric.ts'
import { newline } from '../component/newline.ts'
import { progressBar } from '../component/progress-bar.ts'
import { spacer } from '../component/spacer.ts'
import { sparkline } from '../component/sparkline.ts'
import { statusLine } from '../component/status-line.ts'
import { table } from '../component/table.ts'
import { text } from '../component/text.ts'
import { timeline } from '../component/timeline.ts'
import { blankLine, type Pen, type RenderedLine } from '../pen.ts'
import { appendPathKey, type IssueCollector } from '../spec/issues.ts'
import type { ComponentProps, ComponentType } from '../spec/props.ts'
import type { SpecNode } from '../spec/validation.ts'
import { type BoxContainer, containerItem, mustWrap } from './container.ts'
import { emptyBlock, type LayoutBlock, type LayoutItem } from './layout.ts'

type LeafType = Exclude<ComponentType, 'Box' | 'Card'>

const parts: { [T in LeafType]: ComponentRenderer<ComponentProps[T]> } = {
  Text: text,
  Heading: heading,
  Divider: divider,
  Newline: newline,
  Spacer: spacer,
  BarChart: barChart,
  Sparkline: sparkline,
  Table: table,
  List: list,
  StatusLine: statusLine,
  KeyValue: keyValue,
  Badge: badge,
  ProgressBar: progressBar,
  Metric: metric,
  Callout: callout,
  Timeline: timeline,
}

export interface RenderStage {
  pen: Pen
  errors: IssueCollector
  warnings: IssueCollector
}

/** Lays out the root in the width that it requests, at most the whole width. Default: the whole width. */
export function layRoot(root: SpecNode, stage: RenderStage): LayoutBlock {
  const { width } = stage.pen.look
  const item = itemOf(root, stage, width)
  return item.lay(Math.min(width, item.wanted(width) ?? width), undefined)
}

function itemOf(node: SpecNode, stage: RenderStage, rootWidth?: number): LayoutItem {
  const starve = () => makeWarningReporter(node, stage)('no_room', `${node.type} has no cells left`)
  if (node.type !== 'Box' && node.type !== 'Card') return leafItem(node, stage, starve)
  const kids = shownKids(node).map((kid) => itemOf(kid, stage))
  let container: BoxContainer =
    node.type === 'Box' ? layOutBox(node.props, stage.pen) : layOutCard(node.props, stage.pen)
  if (rootWidth !== undefined && mustWrap(container, kids, rootWidth)) {
    makeWarningReporter(node, stage)('wrapped', 'its children do not fit side by side and are stacked')
    container = { ...container, flow: { ...container.flow, direction: 'column' } }
  }
  return containerItem(container, kids, stage.pen, starve)
}

/** Returns the children without boxes of `display: none`. */
function shownKids(node: SpecNode): SpecNode[] {
  return node.kids.filter((kid) => !(kid.type === 'Box' && kid.props.display === 'none'))
}

function leafItem(node: SpecNode, stage: RenderStage, starve: () => void): LayoutItem {
  const { pen } = stage
  const part = parts[node.type as LeafType] as ComponentRenderer<unknown>
  const warn = makeWarningReporter(node, stage)
  let drawn: { width: number; lines: RenderedLine[] } | undefined
  const draw = (width: number): RenderedLine[] => {
    if (drawn?.width !== width) {
      drawn = {
        width,
        lines: catchDrawingError(node, stage, () => part.draw(node.props, width, pen, warn), []),
      }
    }
    return drawn.lines
  }
  let natural: number | undefined
  const measure = (): number => {
    if (part.natural) return catchDrawingError(node, stage, () => part.natural?.(node.props, pen) ?? 0, 0)
    let widest = 0
    for (const line of draw(pen.look.width)) widest = Math.max(widest, line.cells)
    return widest
  }
  const item: LayoutItem = {
    grow: node.type === 'Spacer' ? 1 : 0,
    shrink: 1,
    wanted: () => undefined,
    least: () => 0,
    natural() {
      natural ??= Math.min(measure(), pen.look.width)
      return natural
    },
    lay(width) {
      const lines = draw(Math.max(1, width))
      return { height: lines.length, fixed: false, place: () => (y) => lines[y] ?? blankLine }
    },
    starve() {
      // Empty lines need no cells, so such an item is laid out even if no cell is left.
      if (item.natural() === 0) return item.lay(1, undefined)
      starve()
      return emptyBlock
    },
  }
  return item
}

/** Returns the plain text of the element and its descendants, not wrapped. */
export function renderPlainText(node: SpecNode, stage: RenderStage): string[] {
  if (node.type !== 'Box' && node.type !== 'Card') {
    const part = parts[node.type] as ComponentRenderer<unknown>
    return catchDrawingError(
      node,
      stage,
      () => part.speak(node.props, stage.pen, makeWarningReporter(node, stage)),
      [],
    )
  }
  const title = node.type === 'Card' && node.props.title ? [node.props.title] : []
  return [...title, ...shownKids(node).flatMap((kid) => renderPlainText(kid, stage))]
}

const pathOf = ({ id }: SpecNode) => appendPathKey('elements', id)

/**
 * Returns a function that reports at most one warning of each code for an element, even if the element is
 * rendered several times.
 */
function makeWarningReporter(node: SpecNode, { warnings }: RenderStage): WarningReporter {
  return (code, message) => warnings.once(code, pathOf(node), message, node.id)
}

function catchDrawingError<T>(node: SpecNode, { errors }: RenderStage, work: () => T, otherwise: T): T {
  try {
    return work()
  } catch (error) {
    const why = error instanceof Error ? error.message : error
    const message = `${node.type} ${node.id} could not be drawn: ${why}`
    errors.once('internal', pathOf(node), message, node.id)
    return otherwise
  }
}
