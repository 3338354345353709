// State of a session as plain lines, for pipes and logs.

import { countNoun } from '../../base/text/count-noun.ts'
import { describeJudgment } from '../../base/text/judgment-text.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { costWords } from './cost.ts'
import {
  formatAmount,
  formatComparison,
  formatOutcome,
  formatProbability,
  formatSigned,
  statusWords,
} from './format.ts'
import type { OverviewRow, SessionOverview } from './overview.ts'

/**
 * Returns the lines of the state. `all`: with every run; otherwise with the last 20. Text of other authors
 * has no control characters and stays on one line.
 */
export function statusLines(view: SessionOverview, all: boolean): string[] {
  const visibleRows = all ? view.rows : view.rows.slice(-20)
  const hidden = view.rows.length - visibleRows.length
  return [
    ...headLines(view),
    '',
    ...(hidden > 0 ? [`${countNoun(hidden, 'earlier run')} (--all shows them)`] : []),
    ...alignColumns(visibleRows.map((one) => toCells(one, view.unit))),
    ...view.pending.map(pendingLine),
    ...view.warnings.map((text) => `warning: ${text}`),
  ].map((line) => sanitizeText(line).trimEnd())
}

/** Returns the lines above the runs. */
function headLines(view: SessionOverview): string[] {
  const { counts, maxRuns, baseline, unit } = view
  const limit = maxRuns > 0 ? ` of ${maxRuns}` : ''
  const kinds = (['keep', 'discard', 'crash', 'checks_failed'] as const)
    .filter((status) => counts[status] > 0)
    .map((status) => `${counts[status]} ${statusWords[status]}`)
  const lines = [
    `${view.name}  ${view.metric}, ${view.direction} is better`,
    ...(view.objective === '' ? [] : [view.objective]),
    `judged by ${describeJudgment(view)}`,
    `runs ${counts.total}${limit}${kinds.length > 0 ? `: ${kinds.join(', ')}` : ''}`,
  ]
  if (baseline)
    lines.push(`baseline  ${formatAmount(baseline.value, unit)}  floor ${baseline.floorPct.toFixed(1)}%`)
  if (view.best) lines.push(`best      ${bestWords(view)}`)
  if (view.final) lines.push(`final     ${finalWords(view)}`)
  if (view.cost.tokens > 0) lines.push(`cost      ${costWords(view.cost)}`)
  return lines
}

export function bestWords({ best, unit }: SessionOverview): string {
  if (!best) return ''
  const value = best.metric === undefined ? '' : `${formatAmount(best.metric, unit)}  `
  return `${value}run ${best.run}${best.description === '' ? '' : `, ${best.description}`}${markOf(best)}`
}

/**
 * Returns a text about the final comparison, or an empty text without one. Of the results of a session, only
 * this one may be called a gain, and only if its test shows one.
 */
export function finalWords({ final, finalIsOld, metric, unit, best }: SessionOverview): string {
  if (!final) return ''
  const { values, number, level, gain, pairs, p } = final
  const from = `${metric} ${formatAmount(values.baseline)} -> ${formatAmount(values.best, unit)}`
  const words = [
    `${gain ? 'gain' : 'no gain shown'}: ${from}, ${formatComparison(final)}`,
    countNoun(pairs, 'pair'),
    ...(final.ci[0] === final.ci[1] ? [] : [`p ${formatProbability(p)}`]),
    ...(number > 1 ? [`final ${number} of this best: p must be below ${formatProbability(level)}`] : []),
    ...(best?.suspect ? ['looks too good to be true: look at it'] : []),
    ...(finalIsOld ? ['(older than best)'] : []),
  ]
  return words.join('  ')
}

const markOf = (row: OverviewRow) =>
  row.status === 'keep' && row.evidence !== 'paired' ? '  [single sample]' : ''

function toCells(row: OverviewRow, unit: string): string[] {
  const value = row.metric === undefined ? '-' : formatAmount(row.metric, unit)
  const measured = row.parsed === undefined ? '' : ` (measured ${formatAmount(row.parsed, unit)})`
  const moved = row.effect ? formatSigned(row.effect.pct, row.effect) : ''
  return [`#${row.run}`, value + measured, moved, formatOutcome(row), whatWords(row)]
}

/**
 * Returns the description of a run, or else the detail of its reason, in one line; an empty
 * text without both.
 */
export function whatWords({ description, detail = '' }: OverviewRow): string {
  return (description || detail).replaceAll('\n', ' ')
}

/** Returns left-aligned columns with two spaces between them. */
function alignColumns(rows: readonly string[][]): string[] {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, i) => Math.max(cell.length, widest[i] ?? 0)),
    [],
  )
  return rows.map((row) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  '))
}

export function pendingLine({ run, state, alive, pid, ran }: SessionOverview['pending'][number]): string {
  if (state === 'running')
    return alive ? `#${run}  is being measured by pid ${pid}` : `#${run}  was cut off: anode research resume`
  const verdict = ran ? `, would be logged as ${statusWords[ran.status]}` : ''
  return state === 'measured'
    ? `#${run}  measured, waits for log${verdict}`
    : `#${run}  logged, not restored yet: anode research resume`
}
