// The lines of a comparison on the terminal: the verdict, a row for each metric, the control, and advice.
import { countNoun } from '../../base/text/count-noun.ts'
import type { ComparisonRecord, ComparisonSide, MetricComparison } from '../compare/comparison.ts'
import { formatAmount, formatProbability } from './format.ts'

/**
 * Returns the text for `anode research compare`, one line per element. A table wider than `columns` has no
 * bars and, if it is still too wide, the evidence of each metric in a separate row.
 */
export function comparisonLines(record: ComparisonRecord, columns = Number.POSITIVE_INFINITY): string[] {
  const { metrics, base, head, verdict } = record
  const title = `${verdict}: ${sideName(head)} against ${sideName(base)}`
  const notes = record.notes.map((note) => `note: ${note}`)
  if (!record.measured) return [`${title}, not measured`, ...notes]
  const { rounds, seconds, isolation = '' } = record
  const place = isolation === 'wall' ? 'isolated' : isolation
  const cost = `${countNoun(rounds, 'round')}, ${seconds.toFixed(0)} s, ${place}`
  const controls = metrics
    .filter(({ decides }) => decides)
    .map(({ name, unit, control: { pct, ci, moved } }) => [
      'control',
      name,
      'base against itself',
      formatInterval({ pct, ci, unit }),
      '',
      moved ? 'moved' : '',
    ])
  return [
    `${title}  (${cost})`,
    ...fitTable([...metrics.map((metric) => rowOf(metric, metrics)), ...controls], columns),
    ...record.metrics.flatMap(adviceFor),
    ...notes,
  ]
}

/**
 * Returns the name of a side with 10 characters of its commit, for example `HEAD~1 (5f3a9c1e02)`, or of its
 * tree, for example `HEAD~1^{tree} (tree 0c4d7f2a91)`. Returns only the hash if the name is its beginning,
 * and `the working tree` for the name `.`.
 */
export function sideName({ name, tree, commit }: ComparisonSide): string {
  if (name === '.') return 'the working tree'
  const hash = commit ?? tree
  const shortHash = `${commit === undefined ? 'tree ' : ''}${hash.slice(0, 10)}`
  return hash.startsWith(name) ? shortHash : `${name} (${shortHash})`
}

/**
 * Returns the cells of a metric's row: verdict (in parentheses if the metric does not decide), name, values,
 * change with its 90 % interval, bar, evidence.
 */
function rowOf(metric: MetricComparison, all: readonly MetricComparison[]): string[] {
  const { name, verdict, base, head, decides } = metric
  return [
    decides ? verdict : `(${verdict})`,
    name,
    `${formatAmount(base)} -> ${formatAmount(head)}`,
    formatInterval(metric),
    barOf(metric, all),
    describeEvidence(metric),
  ]
}

/**
 * Returns what the verdict of a metric is based on, for example `18 rounds, p 0.004, confirmed`. For `same`
 * these are only the rounds, and for `undecided` the reason (if it is not noise) and the spread.
 */
export function describeEvidence({
  verdict,
  rounds,
  p,
  confirmed,
  reason,
  spread_pct,
  unit,
}: MetricComparison): string {
  if (verdict === 'undecided')
    return `${reason === 'noise' ? '' : `${reason}, `}spread ${formatWithUnit(spread_pct, unit)}`
  if (verdict === 'same') return countNoun(rounds, 'round')
  return `${countNoun(rounds, 'round')}, p ${formatProbability(p)}${confirmed ? ', confirmed' : ''}`
}

/**
 * Returns a change with its interval, such as `+4.9 % (4.4 to 5.6)`. For the unit `absolute` the numbers are
 * in the metric's own unit, without a sign for percent.
 */
export function formatInterval({ pct, ci, unit }: Pick<MetricComparison, 'pct' | 'ci' | 'unit'>): string {
  const [low, high] = ci
  return `${pct > 0 ? '+' : ''}${formatWithUnit(pct, unit)} (${formatTenths(low)} to ${formatTenths(high)})`
}

const formatWithUnit = (value: number, unit: MetricComparison['unit']) =>
  unit === 'absolute' ? formatAmount(value) : `${formatTenths(value)} %`

const formatTenths = (value: number) => value.toFixed(1).replace(/^-0\.0$/, '0.0')

const barColumns = 10

/**
 * Returns a bar of at most 10 characters, whose length shows the change in relation to the largest change in
 * the table or 1 %, whichever is larger. Returns an empty text for a change without a percentage.
 */
function barOf({ pct, unit }: MetricComparison, all: readonly MetricComparison[]): string {
  if (unit === 'absolute') return ''
  const largest = Math.max(...all.filter((one) => one.unit === undefined).map((one) => Math.abs(one.pct)), 1)
  return '▇'.repeat(Math.round((barColumns * Math.abs(pct)) / largest))
}

/**
 * Returns advice on how to get a verdict on a deciding metric that is undecided; an empty list for
 * any other metric.
 */
export function adviceFor({
  verdict,
  decides,
  name,
  reason,
  rounds_needed: needed,
}: MetricComparison): string[] {
  if (verdict !== 'undecided' || !decides) return []
  if (reason === 'control moved')
    return [`${name}: the machine changed during the measurement. Run the comparison again.`]
  const rounds = needed === undefined ? '' : `needs about ${countNoun(needed, 'round')}. `
  const measure = name === 'cpu_ms' ? 'Let' : 'Measure cpu_ms, let'
  const way =
    reason === 'budget' ? 'Raise --budget.' : `${measure} the command work longer, or use a quieter machine.`
  return [`${name}: ${rounds}${way}`]
}

/** Index of the bar in a row; the evidence follows it. */
const barCell = 4

function fitTable(rows: readonly (readonly string[])[], columns: number): string[] {
  const bare = rows.map((row) => row.filter((_, i) => i !== barCell))
  const fitting = [rows, bare]
    .map(alignColumns)
    .find((lines) => lines.every((line) => line.length <= columns))
  if (fitting) return fitting
  const heads = alignColumns(rows.map((row) => row.slice(0, barCell)))
  return rows.flatMap((row, i) => {
    const evidence = row[barCell + 1]
    return [heads[i] ?? '', ...(evidence ? [`  ${evidence}`] : [])]
  })
}

function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)))
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** Returns one line for `anode research compare list`. */
export function comparisonSummary(record: ComparisonRecord): string {
  const { id, timestamp, verdict, base, head, metrics } = record
  const [first] = metrics
  const change = first ? `  ${first.name} ${formatInterval(first)}` : ''
  const when = timestamp.slice(0, 16).replace('T', ' ')
  return `${id}  ${when}  ${verdict}  ${sideName(base)} -> ${sideName(head)}${change}`
}
