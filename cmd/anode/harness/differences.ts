// The differences between two recorded runs, as lines for users.

import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import type { RunDifference } from '../../../internal/service/harness/compare-recordings.ts'
import type { CommandRecording } from '../../../internal/service/harness/recording.ts'

export function drawDifferences(
  first: CommandRecording,
  second: CommandRecording,
  differences: readonly RunDifference[],
): string {
  if (differences.length === 0) return `${second.id} is the same as ${first.id}, apart from ids and times\n`
  const lines = differences.flatMap(({ where, first: one, second: other }) => [
    `${where}:`,
    `  - ${one ?? '(nothing)'}`,
    `  + ${other ?? '(nothing)'}`,
  ])
  const head = `${second.id} differs from ${first.id}; the first difference of each part:`
  const next = `step through both: anode harness step ${first.id}; anode harness step ${second.id}`
  return sanitizeText(`${[head, ...lines, next].join('\n')}\n`, { keepLines: true })
}
