// Lines about a measured run: findings, what the engine would log, and the command that does it.
import { countNoun } from '../../base/text/count-noun.ts'
import { quoteForShell } from '../../base/text/quoting/shell-word.ts'
import type { GuardOutcome } from '../judge/guardrail-metric.ts'
import type { RunResult } from '../ledger/experiment-run.ts'
import { formatAmount, formatChange, formatProbability, reasonWords, statusWords } from './format.ts'

interface ResultContext {
  /** Value and noise floor of the baseline tree. */
  baseline?: { value: number; floorPct: number }
  description?: string
}

export function resultLines(ran: RunResult, { baseline, description }: ResultContext = {}): string[] {
  return [
    ...(baseline && ran.status !== 'baseline'
      ? [
          `baseline  ${ran.metricName} ${formatAmount(baseline.value)}  floor ` +
            `${baseline.floorPct.toFixed(1)}%`,
        ]
      : []),
    ...describeValue(ran),
    ...describeGates(ran),
    ...describeTrouble(ran),
    ...ran.notes.map((note) => `note: ${note}`),
    describeVerdict(ran, description),
  ]
}

function describeValue({
  metricName,
  metric,
  unit,
  effect,
  noise,
  status,
  advice,
  samples,
}: RunResult): string[] {
  if (metric === undefined) return []
  const value = `${metricName} ${formatAmount(metric, unit)}`
  if (status === 'baseline') {
    const count = samples?.base.length ?? 1
    const floor = noise ? `  floor ${noise.floor_pct.toFixed(1)}%` : ''
    return [`baseline  ${value}${floor}  ${countNoun(count, 'sample')}`]
  }
  if (!effect)
    return advice === undefined
      ? [value]
      : [`${value}  ${reasonWords(advice as never)} (one sample: advice, no verdict)`]
  if (effect.ci[0] === effect.ci[1]) return [`${value}  ${formatChange(effect)}  the same in every execution`]
  const confirmation =
    effect.confirm_p === undefined
      ? ''
      : `   confirmed in fresh pairs p ${formatProbability(effect.confirm_p)}`
  return [`${value}`, `pairs ${effect.pairs}  ${formatChange(effect)}${confirmation}`]
}

function describeGates({ guards, checks, holdout, lock, effect, isolation }: RunResult): string[] {
  const parts = [
    ...(guards.length > 0
      ? [`guards ${guards.every(({ ok }) => ok) ? 'ok' : 'failed'}  ${guards.map(guardWords).join('  ')}`]
      : []),
    ...(checks === undefined ? [] : [`checks ${checks}`]),
    ...(holdout === undefined ? [] : [`holdout ${holdout}`]),
    ...(effect || lock === 'violated' ? [`lock ${lock}`] : []),
    ...(isolation === 'wall' && effect ? ['isolated'] : []),
    ...(isolation?.startsWith('namespaces') && effect ? [describeNamespaces(isolation)] : []),
  ]
  return parts.length === 0 ? [] : [parts.join('   ')]
}

function guardWords({ metric, ratio, why, ok }: GuardOutcome): string {
  const size = Number.isFinite(ratio) ? `${ratio.toFixed(2)}x` : 'not printed'
  return `${metric} ${size}${ok ? '' : ` (${why})`}`
}

function describeTrouble(ran: RunResult): string[] {
  const lines: string[] = []
  if (ran.detail !== undefined) lines.push(ran.detail)
  if (ran.reason === 'conflict') lines.push('it changes lines that what has been kept since changes too')
  if (ran.outside.length > 0) {
    lines.push(`outside of the scope: ${ran.outside.join(', ')}`)
    lines.push(
      '  a new file that is yours: log this run, and later runs leave it out; or add it to .gitignore',
    )
    lines.push(
      '  part of the experiment: reset the experiment with it, `anode research init --reset --scope PATH`',
    )
  }
  if (ran.leaked > 0)
    lines.push(`ended ${countNoun(ran.leaked, 'process', 'processes')} that outlived the command`)
  if (ran.status === 'crash') lines.push(...indentLines(ran.output))
  if (ran.status === 'checks_failed') lines.push(...indentLines(ran.checksOutput ?? ''))
  if (ran.gate === 'paired' && ran.isolation?.startsWith('not isolated')) lines.push(ran.isolation)
  if (ran.offer) lines.push('equal within the noise and smaller: you may prefer it')
  return lines
}

const indentLines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `  ${line}`)

function describeVerdict(
  { run, status, reason, gate, advice }: RunResult,
  description: string | undefined,
): string {
  const words = status === 'baseline' ? '' : ` (${reasonWords(reason)})`
  const text = description === undefined ? '' : ` --description ${quoteArgument(description)}`
  // Under the gate `plain` the caller decides, so the proposed status is `keep` only for an improved value.
  const open = gate === 'plain' && status !== 'baseline' && status !== 'crash' && status !== 'checks_failed'
  const say = open && advice === 'better' ? 'keep' : open ? 'discard' : status
  return (
    `-> run ${run} ${open ? 'measured' : statusWords[status]}${open ? '' : words}   anode research ` +
    `log --status ${say}${text}`
  )
}

/** Quotes a text as one argument of a POSIX shell, if it needs quotes. */
function quoteArgument(text: string): string {
  return /^[\w./=:+,-]+$/.test(text) && !text.startsWith('-') ? text : quoteForShell(text)
}

const describeNamespaces = (isolation: string) =>
  `isolated, but for the network${isolation.includes('keyrings') ? ', keyrings' : ''} and files it reads`
