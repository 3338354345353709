// The state of a session as a tree of components for terminals.

import { describeJudgment } from '../../base/text/judgment-text.ts'
import { countCells } from '../../render/text/cell-width.ts'
import { costWords } from './cost.ts'
import { formatAmount, formatOutcome, formatSigned } from './format.ts'
import type { OverviewRow, SessionOverview } from './overview.ts'
import { bestWords, finalWords, pendingLine, whatWords } from './status-lines.ts'

interface DashboardElement {
  type: string
  props: Record<string, unknown>
  children: string[]
}

interface DashboardSpec {
  root: string
  elements: Record<string, DashboardElement>
}

/**
 * Builds the spec of the dashboard. `width`: number of terminal columns. `rows`: largest number of runs to
 * show; the latest ones are shown. `now`: texts about work in progress, one line each.
 */
export function buildDashboard(
  view: SessionOverview,
  { rows, now = [], width = 80 }: { rows: number; now?: readonly string[]; width?: number },
): DashboardSpec {
  const elements: Record<string, DashboardElement> = {}
  const add = (id: string, type: string, props: Record<string, unknown>, children: string[] = []) => {
    elements[id] = { type, props, children }
    return id
  }
  const facts = [
    addFact(add, 'goal', 'goal', view.objective),
    addFact(add, 'gate', 'judged by', describeJudgment(view)),
    addFact(
      add,
      'base',
      'baseline',
      view.baseline &&
        `${formatAmount(view.baseline.value, view.unit)}, floor ${view.baseline.floorPct.toFixed(1)}%`,
    ),
    addFact(add, 'best', 'best', bestWords(view)),
    addFact(add, 'final', 'final', finalWords(view)),
    addFact(add, 'cost', 'cost', costWords(view.cost)),
  ].flat()
  const visibleRows = view.rows.slice(-rows)
  const body = [
    add('card', 'Card', { title: `${view.name}: ${view.metric}, ${view.direction} is better` }, [
      add('facts', 'Box', { flexDirection: 'column' }, facts),
    ]),
    ...addProgress(add, view),
    ...addTrend(add, view),
    add('runs', 'Table', toTableProps(visibleRows, view, width)),
    ...[...now, ...view.pending.map(pendingLine)].map((text, i) =>
      add(`now${i}`, 'StatusLine', { text, status: 'info' }),
    ),
    ...view.warnings.map((text, i) => add(`warning${i}`, 'StatusLine', { text, status: 'warning' })),
  ]
  add('main', 'Box', { flexDirection: 'column' }, body)
  return { root: 'main', elements }
}

type AddElement = (id: string, type: string, props: Record<string, unknown>, children?: string[]) => string

function addFact(add: AddElement, id: string, label: string, value: string | undefined): string[] {
  return value === undefined || value === '' ? [] : [add(id, 'KeyValue', { label: label.padEnd(9), value })]
}

function addProgress(add: AddElement, { counts, maxRuns }: SessionOverview): string[] {
  if (maxRuns === 0) return []
  const label = `runs ${counts.total} of ${maxRuns}`
  return [add('progress', 'ProgressBar', { progress: Math.min(1, counts.total / maxRuns), label })]
}

function addTrend(add: AddElement, { rows, metric }: SessionOverview): string[] {
  const data = rows.flatMap((row) => (row.metric === undefined ? [] : [row.metric]))
  return data.length < 3
    ? []
    : [add('trend', 'Sparkline', { data, label: metric, width: Math.min(60, data.length) })]
}

interface TableColumn {
  header: string
  key: 'run' | 'value' | 'change' | 'verdict' | 'what'
  align?: 'right'
  width?: number
}

const columns: readonly TableColumn[] = [
  { header: 'run', key: 'run', align: 'right' },
  { header: 'value', key: 'value', align: 'right' },
  { header: 'change', key: 'change', align: 'right' },
  { header: 'verdict', key: 'verdict' },
  { header: 'what', key: 'what' },
]

/** Columns that are left out on a narrow terminal, in this order. */
const dropped = ['what', 'value', 'change'] as const

/** Smallest width in cells of the column with descriptions. If less is left, that column is omitted. */
const leastWords = 10

/**
 * Returns the props of the table. On a narrow terminal other columns are left out, so that the
 * verdict stays readable.
 */
function toTableProps(
  visibleRows: readonly OverviewRow[],
  { unit }: SessionOverview,
  width: number,
): Record<string, unknown> {
  const rows = visibleRows.map((row) => ({
    run: String(row.run),
    value: row.metric === undefined ? '' : formatAmount(row.metric, unit),
    change: row.effect ? formatSigned(row.effect.pct, row.effect) : '',
    verdict: describeVerdict(row),
    what: whatWords(row),
  }))
  // Each column has a border and a space on both sides, and the table has one more border.
  const sizeOf = ({ header, key }: TableColumn) =>
    rows.reduce((widest, row) => Math.max(widest, countCells(row[key])), header.length) + 3
  const sizes = new Map(columns.map((column) => [column.key, sizeOf(column)]))
  sizes.set('what', Math.min(sizes.get('what') ?? 0, leastWords + 3))
  const countSpareCells = () => [...sizes.values()].reduce((rest, size) => rest - size, width - 1)
  for (const key of dropped) if (countSpareCells() < 0) sizes.delete(key)
  const room = leastWords + Math.max(0, countSpareCells())
  return {
    columns: columns
      .filter(({ key }) => sizes.has(key))
      .map((column) => (column.key === 'what' ? { ...column, width: wordsIn(rows, room) } : column)),
    rows,
  }
}

/**
 * Returns the width of the last column in cells: that of its longest text, but at least 4 and at most `room`.
 */
function wordsIn(rows: readonly { what: string }[], room: number): number {
  return rows.reduce((widest, { what }) => Math.max(widest, Math.min(room, countCells(what))), 4)
}

/**
 * Returns the outcome, with `, value given` if the caller replaced the measured value. A kept or failed run
 * has a mark in front, so that its meaning does not depend on color.
 */
function describeVerdict(row: OverviewRow): string {
  const override = row.parsed === undefined ? '' : ', value given'
  const mark = { keep: '✔ ', crash: '✖ ', checks_failed: '✖ ', discard: '', baseline: '' }[row.status]
  return `${mark}${formatOutcome(row)}${override}`
}
