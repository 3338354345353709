// Progress lines of a study for users. Each entry with a change that matters gives one or more lines.
import { countNoun } from '../../base/text/count-noun.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { describeNotice, describeStudyReason } from '../../session/board/study-words.ts'
import type { JournalLine } from '../../store/journal/journal.ts'
import { findWholeWords } from '../../text-analysis/terms.ts'
import {
  claimStateOf,
  type StudyEntry,
  type StudyHead,
  type TaskResult,
  toStudyEntry,
} from '../log/entries.ts'
import {
  computeCitationAccuracy,
  computeSupport,
  countDropped,
  describeQuotedParts,
  listAskedTasks,
} from '../log/outcome.ts'
import { currentRound } from '../log/round.ts'
import { advanceStudyState, beginStudyState, type StudyState } from '../log/state.ts'
import { nameOutcome, nameTaskEnd, type TaskState, tookMs } from '../log/task-end.ts'
import { singlePartReason } from '../plan/outline.ts'

/** Returns the first ten characters of an id, which are enough to identify the study. */
export const shortId = (id: string): string => id.slice(0, 10)

/**
 * Returns the cost of a study in US dollars as text: `free` if rules did the work, `unknown` if a
 * price is unknown.
 */
export function formatStudyCost({ model, usd }: Pick<StudyHead, 'model'> & { usd: number | null }): string {
  if (model.kind === 'rules') return 'free'
  return usd === null ? 'unknown' : `$${usd.toFixed(usd > 0 && usd < 0.1 ? 4 : 2)}`
}

/**
 * Returns the lines for an entry; `state` is the state after it. Most entries, such as steps and results,
 * give no lines.
 */
export function formatProgress(line: JournalLine, state: StudyState): string[] {
  return listEntryLines(toStudyEntry(line), state).map((text) => sanitizeText(text))
}

/** Returns true if the lines of an entry still matter after the answer was shown, such as notices. */
export function isLasting(line: JournalLine): boolean {
  const entry = toStudyEntry(line)
  if (entry.kind === 'task.ended') return entry.data.result.end === 'failed'
  return ['study', 'task.lost', 'task.not_run', 'notice'].includes(entry.kind)
}

function listEntryLines(entry: StudyEntry, state: StudyState): string[] {
  switch (entry.kind) {
    case 'study':
      return [headLine(state)]
    case 'plan':
      return planLines(state)
    case 'task.started':
      return entry.data.attempt > 1
        ? [`${padId(entry.data.task)} started again by ${entry.data.owner}, attempt ${entry.data.attempt}`]
        : []
    case 'task.lost':
      return [`${padId(entry.data.task)} lost      ${describeStudyReason(entry.data.why)}`]
    case 'task.added':
      return [`plan    ${padId(entry.data.task.id)} ${entry.data.task.objective}: ${entry.data.why}`]
    case 'task.ended':
    case 'task.not_run': {
      const task = state.tasks.get(entry.data.task)
      return task ? [taskLine(task, state)] : []
    }
    case 'notice':
      return [`note    ${describeNotice(entry.data.code)}: ${entry.data.text}`]
    case 'status':
      return statusLines(currentRound(state))
    case 'ask':
      return [`ask     ${entry.data.question}`]
    case 'prose':
      return [`${padId(entry.data.task)} prose     no JSON in ${entry.data.tries} tries: kept, unchecked`]
    default:
      return []
  }
}

export function headLine({ head }: StudyState): string {
  const { name, note } = head.model
  const model = note === undefined ? name : `${name} (${note})`
  const workers = head.baseline ? 'one worker as baseline' : `workers ${head.workers}`
  return `study ${shortId(head.id)}  model ${model}  ${workers}  engine ${head.engine}${surveyTime(head)}`
}

/**
 * Milliseconds from which on the duration of the survey is reported. The survey reads all files before
 * a study begins.
 */
const longSurveyMs = 1_000

function surveyTime({ created, surveyed, read }: StudyHead): string {
  const ms = surveyed ? created - surveyed.at : 0
  if (ms < longSurveyMs || !read) return ''
  return `  read ${countNoun(read.files, 'file')} in ${(ms / 1000).toFixed(1)} s`
}

/**
 * Returns a line for each task, then lines about dropped and merged parts, the reason if the work was not
 * divided, and notices. A table gets one line.
 */
function planLines({ plan, head: { table } }: StudyState): string[] {
  if (!plan) return []
  if (table) {
    const names = table.columns.map((column) => column.name).join(', ')
    return [`plan    ${countNoun(plan.tasks.length, 'document')}, one row each: ${names}`]
  }
  return [
    ...plan.tasks.map(({ id, objective, terms }, i) => {
      const words = terms.length > 0 ? ` (${findWholeWords(terms, objective).join(', ')})` : ''
      return `${i === 0 ? 'plan  ' : '      '}  ${padId(id)} ${objective}${words}`
    }),
    ...plan.dropped.map(
      ({ objective, reason }) => `        not run (${describeStudyReason(reason)}): ${objective}`,
    ),
    ...[plan.notSplit ?? singlePartReason]
      .filter((why) => why !== singlePartReason)
      .map((why) => `        not split: ${why}`),
    ...plan.notices.map((notice) => `        ${describeNotice(notice)}`),
  ]
}

/**
 * Returns a line such as `t2 partial 2 claims 3 evidence 6 steps 0.9 s gaps: recovery order`. A task without
 * a result has its state and its reason or objective; a task of a table has its document and cells.
 */
export function taskLine(at: TaskState, state: StudyState): string {
  const { task, result, notRun } = at
  if (notRun !== undefined) return `${padId(task.id)} not run   ${describeStudyReason(notRun)}`
  if (!result) {
    const phase = at.status === 'leased' ? 'running' : 'open'
    return `${padId(task.id)} ${phase.padEnd(9)} ${task.objective}`
  }
  const evidence = [...state.evidence.values()].filter((one) => one.task === task.id).length
  const { reason } = result
  const why = result.end === 'done' || reason === undefined ? '' : `  ${describeStudyReason(reason)}`
  const gaps = result.gaps.length > 0 ? `  gaps: ${result.gaps.join('; ')}` : ''
  const { steps } = result.spent
  if (task.document) {
    const kind = nameTaskEnd(state.head.model, result.end).padEnd(9)
    return `${padId(task.id)} ${kind} ${task.document.path}  ${describeRow(result, state.head.table)}`
  }
  const time = `${(tookMs(at) / 1000).toFixed(1)} s`
  const counts =
    `${countNoun(result.claims.length, 'claim')}  ${evidence} evidence  ${countNoun(steps, 'step')}  ` +
    `${time}`
  return `${padId(task.id)} ${nameTaskEnd(state.head.model, result.end).padEnd(9)} ${counts}${why}${gaps}`
}

/**
 * Returns how many cells of a row are filled, such as `2 of 3 cells`, or the reason why the row is missing.
 */
function describeRow({ reason, detail, gaps }: TaskResult, table: StudyHead['table']): string {
  if (detail !== undefined) return detail
  const all = table?.columns.length ?? 0
  return reason === 'empty_cells' || reason === undefined
    ? `${all - gaps.length} of ${countNoun(all, 'cell')}`
    : describeStudyReason(reason)
}

/** Returns the last lines of a study, or a line that it was paused or cancelled; empty while it runs. */
export function statusLines(state: StudyState): string[] {
  const { status, reason, head } = state
  const id = shortId(head.id)
  switch (status) {
    case 'done':
    case 'partial':
      return [...verifyLine(state), reportLine(state)]
    case 'failed':
      return [failedLine(state)]
    case 'paused':
    case 'cancelled':
      return [`${status}  ${describeStudyReason(reason ?? 'on request')}. anode study resume ${id}`]
    default:
      return []
  }
}

function failedLine({ status, reason, head }: StudyState): string {
  const outcome = nameOutcome({ model: head.model, status, reason })
  if (outcome !== 'failed')
    return `report  ${outcome}. anode study report ${shortId(head.id)} names what is nearest`
  const why = describeStudyReason(reason ?? 'no claim')
  return `failed  ${why}. anode study report ${shortId(head.id)} says why`
}

export function verifyLine(state: StudyState): string[] {
  const cited = computeCitationAccuracy(state)
  if (cited === null) return []
  const { minCitation, minSupport = 0 } = state.head
  const below = (name: string, share: number, least: number) =>
    share < least ? `, ${name} ${share.toFixed(2)}, below ${least}` : ''
  const foundCount = [...state.verdicts.values()].filter(
    (verdict) => claimStateOf(verdict) !== 'not_found',
  ).length
  const support = computeSupport(state) ?? 0
  return [
    `verify  ${foundCount} of ${countNoun(state.claims.size, 'quote')} found` +
      below('citation accuracy', cited, minCitation) +
      (support < cited ? below('support', support, minSupport) : ''),
  ]
}

/** Returns the last line about a table: its number of rows, and whether cells are empty. */
function tableLine({ head, tasks, table }: StudyState): string {
  const rows = table?.documents.files.length ?? 0
  const gaps = [...tasks.values()].reduce((sum, { result }) => sum + (result?.gaps.length ?? 0), 0)
  const open = gaps === 0 ? 'no empty cell' : 'some cells are empty'
  return `table   ${countNoun(rows, 'row')}, ${open}. anode study report ${shortId(head.id)}`
}

export function reportLine(state: StudyState): string {
  if (state.head.table) return tableLine(state)
  const { status, reason, head } = state
  const gaps = [...state.tasks.values()].reduce((sum, { result }) => sum + (result?.gaps.length ?? 0), 0)
  const open = gaps === 0 ? '' : ` - ${countNoun(gaps, 'gap')}`
  const why = status === 'partial' && reason !== undefined ? ` (${describeStudyReason(reason)})` : ''
  const parts = describeQuotedParts(listAskedTasks(state), head.model.kind === 'rules', countDropped(state))
  const outcome = `${nameOutcome({ model: head.model, status, reason })}${why}`
  return `report  ${outcome}, ${parts}${open}. anode study report ${shortId(head.id)}`
}

const padId = (id: string) => id.padEnd(4)

/**
 * Returns a follower, which has to get each line of the log, first the study's first entry. It calls `tell`
 * with the line and the state after it. `isKnown`, which the caller sets for a line that was already shown,
 * is passed on.
 */
export function followProgress(tell: (line: JournalLine, state: StudyState, isKnown: boolean) => void): {
  line(line: JournalLine, isKnown?: boolean): void
  /** Returns the state; undefined before the first entry. */
  state(): StudyState | undefined
} {
  let state: StudyState | undefined
  return {
    line(line, isKnown = false) {
      if (state) advanceStudyState(state, line)
      else state = beginStudyState(line)
      tell(line, state, isKnown)
    },
    state: () => state,
  }
}
