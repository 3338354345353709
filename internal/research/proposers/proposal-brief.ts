// The brief that an agent gets before it proposes a change, made from the ledger and the notes.

import { countNoun } from '../../base/text/count-noun.ts'
import type { MeasuredFile } from '../measure/file-size.ts'
import { formatAmount, formatOutcome, formatSigned } from '../report/format.ts'
import type { OverviewRow, SessionOverview } from '../report/overview.ts'

interface UserNotes {
  /**
   * Content of the user's notes: `prompt` from `.auto/prompt.md`, `ideas` from `.auto/ideas.md`, or from
   * files with older names.
   */
  prompt?: string
  ideas?: string
}

/** Parts of a brief in addition to the content of the ledger and the user's notes. */
interface BriefSetting {
  /** Command of the checks that a candidate has to pass. */
  checks?: string | undefined
  /** Files that the candidate may not change. */
  locked?: readonly string[]
  /** Files whose sizes are metrics. */
  files?: readonly MeasuredFile[]
  /** Number of this candidate among those created at the same time, from 1. */
  place?: number
  /** Descriptions of candidates that are finished but not logged yet, so that they are not proposed again. */
  taken?: readonly string[]
}

const recent = 10
const deadEnds = 30
const maxNoteCharacters = 8000
const maxErrorCharacters = 400

/**
 * Returns the text on one line, cut to `length` characters, so that a description cannot look like another
 * part of the brief.
 */
const toPlainLine = (text: string, length = 200) => text.replaceAll(/\s+/g, ' ').trim().slice(0, length)

export function writeBrief(
  view: SessionOverview,
  { prompt, ideas }: UserNotes,
  setting: BriefSetting = {},
): string {
  const tried = view.rows.filter(({ status }) => status !== 'baseline')
  const older = tried.slice(0, -recent).filter(({ status }) => status !== 'keep')
  const parts = [
    describeGoal(view),
    describeTask(view, setting),
    writeSection('What the user asks for', prompt),
    writeSection('Ideas already taken, do not repeat', listTaken(setting)),
    writeSection('State', describeState(view)),
    writeSection(
      tried.length > recent ? `The last ${countNoun(recent, 'run')}` : 'Runs',
      tried
        .slice(-recent)
        .map((row) => writeRow(row, view.unit))
        .join('\n'),
    ),
    writeSection(
      'Dead ends, do not repeat',
      older
        .slice(-deadEnds)
        .map((row) => writeRow(row, view.unit))
        .join('\n'),
    ),
    writeSection('Noted ideas', ideas),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function describeGoal({ objective, metric, unit, direction, name }: SessionOverview): string {
  const size = unit === '' ? metric : `${metric} (${unit})`
  return (
    `Propose one experiment for "${toPlainLine(name)}": make ${size} ` +
    `${direction}.${objective === '' ? '' : ` ${toPlainLine(objective)}.`}`
  )
}

function describeTask(
  { scope, command, guards }: SessionOverview,
  { checks, locked = [], files = [], place = 1 }: BriefSetting,
): string {
  const lines = [
    'Make one change in this worktree, as small as possible, with one idea: two ideas in one change tell',
    'nothing about either. Do not judge it by your own runs: single runs are noise.',
    ...(command === '' ? [] : [`Benchmark: ${toPlainLine(command)}`]),
    ...files.map(({ metric, path }) => `${metric} is the size of ${toPlainLine(path)} in bytes.`),
    ...(checks === undefined ? [] : [`Checks, which must pass: ${toPlainLine(checks)}`]),
    ...(guards > 0 ? [`${countNoun(guards, 'other metric')} may not get worse.`] : []),
    scope.length > 0
      ? `Only these may change: ${scope.join(', ')}.`
      : 'Change what the idea needs and nothing else.',
    locked.length > 0
      ? `Locked, a change makes the run fail: ${locked.join(', ')}.`
      : 'Files of the benchmark and of the checks are locked: changing them makes the run fail.',
  ]
  if (place > 1) {
    const others = countNoun(place - 1, 'other candidate is', 'other candidates are')
    lines.push(
      `${others} being made at the same time, from the likeliest ideas. List at least ${place} different ` +
        `ideas, likeliest first, and take number ${place}.`,
    )
  }
  lines.push(
    'End with one line of at most 72 characters that names the change, then one line "Hypothesis: …" with',
    'the reason why it should help.',
  )
  return lines.join('\n')
}

const listTaken = ({ taken: descriptions = [] }: BriefSetting): string =>
  descriptions.map((one) => `- ${toPlainLine(one)}`).join('\n')

function describeState({ baseline, best, unit, counts }: SessionOverview): string {
  const lines = baseline
    ? [`baseline: ${formatAmount(baseline.value, unit)}, noise floor ${baseline.floorPct.toFixed(1)}%`]
    : []
  if (best?.metric !== undefined)
    lines.push(`best: ${formatAmount(best.metric, unit)}, run ${best.run}: ${toPlainLine(best.description)}`)
  const failed = counts.crash + counts.checks_failed
  if (counts.keep + counts.discard + failed > 0)
    lines.push(
      `${countNoun(counts.total, 'run')}: ${counts.keep} kept, ${counts.discard} discarded, ` +
        `${failed} failed`,
    )
  return lines.join('\n')
}

function writeRow(row: OverviewRow, unit: string): string {
  const value = row.metric === undefined ? '' : ` ${formatAmount(row.metric, unit)}`
  const moved = row.effect ? ` (paired ${formatSigned(row.effect.pct, row.effect)})` : ''
  const isBroken = row.status === 'crash' || row.status === 'checks_failed'
  const error =
    isBroken && row.detail !== undefined ? `\n  error: ${toPlainLine(row.detail, maxErrorCharacters)}` : ''
  const text = `- run ${row.run}, ${formatOutcome(row)}:${value}${moved} ${toPlainLine(row.description)}`
  return text.trimEnd() + error
}

function writeSection(title: string, text: string | undefined): string {
  const body = text?.trim() ?? ''
  return body === '' ? '' : `## ${title}\n${body.slice(0, maxNoteCharacters)}`
}

/**
 * Returns the text after `Hypothesis:` in an agent's final response, and a description of at most 100
 * characters. The description is the line before the hypothesis, or the first other line if no line is before
 * it. Without any other line it is `no description`.
 */
export function readReply(text: string): { description: string; hypothesis?: string } {
  const lines = text
    .split('\n')
    .map((one) => one.replace(/^[\s#*>`-]+|[\s*`]+$/g, ''))
    .filter((one) => one !== '')
  const at = lines.findIndex((one) => /^hypothesis:/i.test(one))
  // The prompt asks for a line before the hypothesis. Without a hypothesis, or with no line before it, the
  // first other line describes the change best.
  const named = at > 0 ? lines[at - 1] : lines.find((_, i) => i !== at)
  const hypothesis = at < 0 ? undefined : lines[at]?.replace(/^hypothesis:\s*/i, '')
  return {
    description: toPlainLine(named ?? 'no description').slice(0, 100),
    hypothesis: hypothesis || undefined,
  }
}
