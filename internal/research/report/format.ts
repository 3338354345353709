// Formats of the numbers and verdicts of experiments for users.
import { formatNumber } from '../../render/chart/number.ts'
import type { MeasuredEffect } from '../judge/evidence.ts'
import type { ExperimentRunStatus, RunLine, RunReason } from '../ledger/experiment-run.ts'

/**
 * Formats a value with its unit, rounded to four significant digits. A value of 1000 or more becomes an
 * integer of at most six significant digits.
 */
export function formatAmount(value: number, unit = ''): string {
  const text =
    Math.abs(value) >= 1000 ? formatNumber(Math.round(value)) : formatNumber(Number(value.toPrecision(4)))
  return unit === '' ? text : `${text} ${unit}`
}

/** Formats a change with sign and one decimal: `-13.7%`, or `-13.7` for an effect in the metric's unit. */
export function formatSigned(value: number, effect: Pick<MeasuredEffect, 'unit'> = {}): string {
  const text = formatDecimal(value)
  return `${value > 0 && text !== '0.0' ? '+' : ''}${text}${effect.unit === 'absolute' ? '' : '%'}`
}

/**
 * Formats an effect: `-13.7% 95% [-24.6, -5.7] p 0.004`. If both ends of the interval are equal, as after a
 * decision by single values, neither interval nor p value is shown.
 */
export function formatChange(effect: MeasuredEffect): string {
  const [low, high] = effect.ci
  const spread =
    low === high
      ? ''
      : `  95% [${formatDecimal(low)}, ${formatDecimal(high)}]  p ${formatProbability(effect.p)}`
  return `${formatSigned(effect.pct, effect)}${spread}`
}

/**
 * Formats an effect in words: `87.9 % lower (86.9 to 89.0)`, or `the same` if it is rounded to 0. If the ends
 * of the interval have different signs, each end has its direction: `(1.1 lower to 0.3 higher)`. An interval
 * with equal ends is omitted.
 */
export function formatComparison({ pct, ci, unit }: Pick<MeasuredEffect, 'pct' | 'ci' | 'unit'>): string {
  const share = unit === 'absolute' ? '' : ' %'
  const word = (value: number) => (value < 0 ? 'lower' : 'higher')
  const size = (value: number) => formatDecimal(Math.abs(value))
  const middle = size(pct) === '0.0' ? 'the same' : `${size(pct)}${share} ${word(pct)}`
  const [a, b] = [...ci].sort((x, y) => Math.abs(x) - Math.abs(y)) as [number, number]
  if (a === b) return middle
  if (a < 0 === b < 0) return `${middle} (${size(a)} to ${size(b)})`
  const low = Math.min(a, b)
  const high = Math.max(a, b)
  return `${middle} (${size(low)} lower to ${size(high)} higher)`
}

export function formatProbability(p: number): string {
  if (p === 0) return '0'
  return p < 0.0001 ? p.toExponential(1) : String(Number(p.toPrecision(2)))
}

function formatDecimal(value: number): string {
  if (Math.abs(value) >= 1e6) return value.toExponential(1)
  const text = value.toFixed(1)
  return text === '-0.0' ? '0.0' : text
}

/**
 * Returns a reason for display, with spaces in place of underscores; the reason of a guard stays unchanged.
 * Only a final comparison may report a gain, so `gain` becomes `improved`.
 */
export function reasonWords(reason: RunReason): string {
  if (reason.startsWith('guard:')) return reason
  return reason === 'gain' ? 'improved' : reason.replaceAll('_', ' ')
}

export const statusWords: Readonly<Record<ExperimentRunStatus, string>> = {
  baseline: 'baseline',
  keep: 'keep',
  discard: 'discard',
  crash: 'crash',
  checks_failed: 'checks failed',
}

/**
 * Returns verdict and reason of a run, or only the verdict for a baseline and for the reason `checks`. A
 * run that was kept without measuring pairs has the reason `single sample`, and a suspect kept run the
 * addition `looks implausible`.
 */
export function formatOutcome({
  status,
  reason,
  evidence,
  suspect,
}: Pick<RunLine, 'status' | 'reason' | 'evidence' | 'suspect'>): string {
  if (status === 'baseline') return 'baseline'
  const single = status === 'keep' && evidence !== 'paired'
  const why = single ? 'single sample' : reason === 'checks' ? '' : reasonWords(reason)
  const doubt = suspect && status === 'keep' ? ', looks implausible' : ''
  return why === '' ? statusWords[status] : `${statusWords[status]}, ${why}${doubt}`
}

/**
 * Returns a detail that explains the reason of a run: for an implausible gain, a crash, a conflict, a change
 * outside of the scope, or code that can print metrics. Otherwise returns an empty text.
 */
function explainReason({ reason, status, detail }: RunLine): string {
  if (reason === 'implausible')
    return ': not believed; accept it with --accept-implausible, or raise --max-plausible'
  const tells = status === 'crash' || reason === 'conflict' || reason === 'scope' || reason === 'speaks'
  return tells && detail !== undefined ? `: ${detail}` : ''
}

/** Formats a logged run on one line. */
export function formatRunLine(line: RunLine, unit = ''): string {
  const value = line.metric === undefined ? '' : `  ${formatAmount(line.metric, unit)}`
  const moved = line.effect ? `  paired ${formatChange(line.effect)}` : ''
  const what = line.description ? `  ${line.description}` : ''
  return `run ${line.run}${what}${value}${moved}  -> ${formatOutcome(line)}${explainReason(line)}`.replaceAll(
    '\n',
    ' ',
  )
}
