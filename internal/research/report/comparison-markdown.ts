// A comparison as a comment on a pull request: a marker for the bot, the verdict, a row for each metric.

import { fingerprint } from '../../base/fingerprint.ts'
import { countNoun } from '../../base/text/count-noun.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { ComparisonRecord, ComparisonVerdict, MetricComparison } from '../compare/comparison.ts'
import { adviceFor, describeEvidence, formatInterval, sideName } from './comparison-lines.ts'
import { formatAmount } from './format.ts'
import { escapeMarkup } from './markup-escape.ts'

const signs: Readonly<Record<ComparisonVerdict, string>> = {
  loss: '❌',
  gain: '✅',
  same: '✅',
  undecided: '❔',
}

/**
 * Largest number of metrics, of controls and of shared files that are listed; further ones are omitted.
 * GitHub rejects comments with more than 65,536 characters.
 */
const maxRows = 100

/**
 * Returns the first line of the comment. It is the same for every comparison of one command, so a bot finds
 * the comment that it updates.
 */
export const commentMarker = ({ command }: Pick<ComparisonRecord, 'command'>): string =>
  `<!-- anode research compare ${fingerprint(command).slice(0, 12)} -->`

/** Returns the comment as Markdown, with a line break at its end. */
export function comparisonMarkdown(record: ComparisonRecord): string {
  const { verdict, head, base, metrics, measured } = record
  const sides = [head, base].map((side) => toCodeSpan(sideName(side))).join(' against ')
  const title = `### ${signs[verdict]} ${verdict}: ${sides}`
  const notes = [...metrics.flatMap(adviceFor), ...record.notes].map((note) => `> ${toPlainLine(note)}`)
  const parts = [commentMarker(record), title]
  if (measured) parts.push(tableOf(metrics))
  if (notes.length > 0) parts.push(notes.join('\n>\n'))
  parts.push(detailsOf(record))
  return `${parts.join('\n\n')}\n`
}

function tableOf(metrics: readonly MetricComparison[]): string {
  const rows = metrics
    .slice(0, maxRows)
    .map((metric) => [
      metric.decides ? `**${metric.verdict}**` : `(${metric.verdict})`,
      toCodeSpan(metric.name),
      formatAmount(metric.base),
      formatAmount(metric.head),
      formatInterval(metric),
      describeEvidence(metric),
    ])
  const heads = ['', 'metric', 'base', 'head', 'change (90 % interval)', 'evidence']
  const hiddenCount = metrics.length - rows.length
  const more = hiddenCount > 0 ? `\n\n${countNoun(hiddenCount, 'other metric')}: see \`--json\`.` : ''
  return [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n') + more
}

function detailsOf({ id, command, build, metrics, measured, ...record }: ComparisonRecord): string {
  const { rounds, executions, seconds, sealed } = record
  const cost = `${countNoun(rounds, 'round')}, ${countNoun(executions, 'execution')}, ${seconds.toFixed(0)} s`
  const controls = metrics
    .filter(({ decides }) => decides)
    .slice(0, maxRows)
    .map(({ name, unit, control: { pct, ci, moved } }) => {
      const change = formatInterval({ pct, ci, unit })
      return `Control: ${toCodeSpan(name)} of the base against itself ${change}${moved ? ', moved' : ''}`
    })
  const lines = [
    `Command: ${toCodeSpan(command)}`,
    ...(build === undefined ? [] : [`Build: ${toCodeSpan(build)}`]),
    ...(sealed.length === 0 ? [] : [`Shared files: ${sealed.slice(0, maxRows).map(toCodeSpan).join(', ')}`]),
    measured ? `Measured: ${cost}` : 'Not measured',
    ...controls,
    `Comparison \`${id}\``,
  ]
  return `<details><summary>Details</summary>\n\n${lines.map((line) => `- ${line}`).join('\n')}\n\n</details>`
}

/** Returns foreign text as a code span that is valid in a table cell and cannot end early. */
function toCodeSpan(text: string): string {
  const line = sanitizeText(text).replace(/\s+/g, ' ').replaceAll('`', 'ˋ').replaceAll('|', '\\|')
  return `\`${line === '' ? ' ' : line}\``
}

/** Returns foreign text in one line, with its markup and mentions escaped. */
const toPlainLine = (text: string) =>
  escapeMarkup(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\*_[\]|#]/g, '\\$&')
    .replaceAll('`', 'ˋ')
    .replaceAll('@', '@\u200b')
