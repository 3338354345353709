// From checked elements to items of the layout, and to plain text; faults of a component stay its own.
import { type Container, containerItem, mustWrap } from './container.ts'
import { at, type Issues } from './issue.ts'
import { type Item, type Laid, nothing } from './layout.ts'
import { badge } from './part/badge.ts'
import { barChart } from './part/bar-chart.ts'
import { box } from './part/box.ts'
import { callout } from './part/callout.ts'
import { card } from './part/card.ts'
import { divider } from './part/divider.ts'
import { heading } from './part/heading.ts'
import { keyValue } from './part/key-value.ts'
import { list } from './part/list.ts'
import { metric } from './part/metric.ts'
import { newline } from './part/newline.ts'
import { progressBar } from './part/progress-bar.ts'
import { spacer } from './part/spacer.ts'
import { sparkline } from './part/sparkline.ts'
import { statusLine } from './part/status-line.ts'
import { table } from './part/table.ts'
import { text } from './part/text.ts'
import { timeline } from './part/timeline.ts'
import type { Part, Warn } from './part.ts'
import { blank, type Line, type Pen } from './pen.ts'
import type { Props, Type } from './props.ts'
import type { Node } from './validate.ts'

type Leaf = Exclude<Type, 'Box' | 'Card'>

const parts: { [T in Leaf]: Part<Props[T]> } = {
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

export interface Stage {
  pen: Pen
  errors: Issues
  warnings: Issues
}

/** The root as it stands in the whole width. */
export function layRoot(root: Node, stage: Stage): Laid {
  const { width } = stage.pen.look
  const item = itemOf(root, stage, width)
  return item.lay(Math.min(width, item.wanted(width) ?? width), undefined)
}

function itemOf(node: Node, stage: Stage, rootWidth?: number): Item {
  const starve = () => warner(node, stage)('no_room', `${node.type} has no cell to stand in`)
  if (node.type !== 'Box' && node.type !== 'Card') return leafItem(node, stage, starve)
  const kids = shownKids(node).map((kid) => itemOf(kid, stage))
  let container: Container = node.type === 'Box' ? box(node.props, stage.pen) : card(node.props, stage.pen)
  if (rootWidth !== undefined && mustWrap(container, kids, rootWidth)) {
    warner(node, stage)('wrapped', 'its children do not fit beside each other and stand below each other')
    container = { ...container, flow: { ...container.flow, direction: 'column' } }
  }
  return containerItem(container, kids, stage.pen, starve)
}

/** The children that are shown. */
function shownKids(node: Node): Node[] {
  return node.kids.filter((kid) => !(kid.type === 'Box' && kid.props.display === 'none'))
}

function leafItem(node: Node, stage: Stage, starve: () => void): Item {
  const { pen } = stage
  const part = parts[node.type as Leaf] as Part<unknown>
  const warn = warner(node, stage)
  let drawn: { width: number; lines: Line[] } | undefined
  const draw = (width: number): Line[] => {
    if (drawn?.width !== width) {
      drawn = { width, lines: guard(node, stage, () => part.draw(node.props, width, pen, warn), []) }
    }
    return drawn.lines
  }
  let natural: number | undefined
  const measure = (): number => {
    if (part.natural) return guard(node, stage, () => part.natural?.(node.props, pen) ?? 0, 0)
    let most = 0
    for (const line of draw(pen.look.width)) most = Math.max(most, line.cells)
    return most
  }
  const item: Item = {
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
      return { height: lines.length, fixed: false, place: () => (y) => lines[y] ?? blank }
    },
    starve() {
      // empty lines need no cells
      if (item.natural() === 0) return item.lay(1, undefined)
      starve()
      return nothing
    },
  }
  return item
}

/** Plain text of the element and all below it, not wrapped. */
export function speak(node: Node, stage: Stage): string[] {
  if (node.type !== 'Box' && node.type !== 'Card') {
    const part = parts[node.type] as Part<unknown>
    return guard(node, stage, () => part.speak(node.props, stage.pen, warner(node, stage)), [])
  }
  const title = node.type === 'Card' && node.props.title ? [node.props.title] : []
  return [...title, ...shownKids(node).flatMap((kid) => speak(kid, stage))]
}

const pathOf = ({ id }: Node) => at('elements', id)

/** Says each thing once for each element, however often it is drawn. */
function warner(node: Node, { warnings }: Stage): Warn {
  return (code, message) => warnings.once(code, pathOf(node), message, node.id)
}

function guard<T>(node: Node, { errors }: Stage, work: () => T, otherwise: T): T {
  try {
    return work()
  } catch (error) {
    const message = `${node.type} ${node.id} could not be drawn: ${error instanceof Error ? error.message : error}`
    errors.once('internal', pathOf(node), message, node.id)
    return otherwise
  }
}
