// Annotations of a comparison for GitHub: workflow commands that a runner reads from the output of a step.
import type { ComparisonRecord, MetricComparison } from '../compare/comparison.ts'
import { adviceFor, describeEvidence, formatInterval } from './comparison-lines.ts'
import { formatAmount } from './format.ts'

/**
 * Largest number of annotations. GitHub shows no more of one kind for a step, so further ones
 * are not printed.
 */
const maxAnnotations = 10

/**
 * Returns one line for each of the first 10 deciding metrics that are not `same`: an error if its verdict
 * fails the job, else a warning for a loss and a notice for other verdicts.
 */
export function comparisonAnnotations(
  { metrics }: Pick<ComparisonRecord, 'metrics'>,
  fails: (verdict: MetricComparison['verdict']) => boolean,
): string[] {
  return metrics
    .filter(({ decides, verdict }) => decides && verdict !== 'same')
    .slice(0, maxAnnotations)
    .map((metric) => {
      const { verdict, name, base, head } = metric
      const kind = fails(verdict) ? 'error' : verdict === 'loss' ? 'warning' : 'notice'
      const values = `${formatAmount(base)} -> ${formatAmount(head)}, ${formatInterval(metric)}`
      const message = [`${values}; ${describeEvidence(metric)}`, ...adviceFor(metric)].join('\n')
      return `::${kind} title=${escapeProperty(`${verdict}: ${name}`)}::${escapeData(message)}`
    })
}

/** Returns the text with characters escaped that could end a workflow command or begin another one. */
const escapeData = (text: string) =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const escapeProperty = (text: string) => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
