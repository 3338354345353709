// Outcome of a study, derived from its log: status, reason, coverage, the parts with quotes and the exit
// code of the command.

import { countNoun } from '../../base/text/count-noun.ts'
import { readAbsent } from '../../text-analysis/absent-words.ts'
import { splitQuestion } from '../../text-analysis/facets.ts'
import { type ClaimState, claimStateOf, type StudyStatus } from './entries.ts'
import type { StudyFindings } from './merged-claims.ts'
import { currentRound } from './round.ts'
import type { StudyState } from './state.ts'
import type { TaskState } from './task-end.ts'

interface StudyEnding {
  status: Extract<StudyStatus, 'done' | 'partial' | 'failed'>
  /**
   * Reason of the status in a form for programs, for example `budget`, `gaps`, `no_evidence`; undefined for
   * `done`, and for a failed table of which no row names a reason.
   */
  reason?: string
}

/** Ends and reasons which mean that a limit was reached and not that an error occurred. */
const limits = new Set([
  'budget',
  'tokens',
  'usd',
  'timed_out',
  'time',
  'deadline',
  'turns',
  'steps',
  'calls',
])

/** Reasons for which a task did not run although nothing is missing in the answer. */
const harmless = new Set(['covered', 'merged'])

/**
 * Returns the status to record once no task is open, for the current question or, if the study has a table,
 * for the table.
 */
export function decideEnding(study: StudyState): StudyEnding {
  if (study.head.table) return decideTableEnding(study)
  const state = currentRound(study)
  const tasks = askedTasks(state)
  const limit = tasks.map(limitOf).find((reason) => reason !== undefined)
  const claims = state.claims.size
  if (claims === 0) {
    if (state.prose.size > 0) return { status: 'partial', reason: 'unverified_answer' }
    if (limit !== undefined) return { status: 'partial', reason: limit }
    return {
      status: 'failed',
      reason: tasks.map(failureOf).find((reason) => reason !== undefined) ?? 'no_evidence',
    }
  }
  const isCapped = state.plan?.dropped.some(({ reason }) => reason === 'cap') === true
  const isProven = (task: TaskState) => !task.result?.claims.length || provenClaims(task, state) > 0
  if (tasks.every(isAnswered) && tasks.every(isProven) && !isCapped) return { status: 'done' }
  if (limit !== undefined) return { status: 'partial', reason: limit }
  const failure = tasks.filter(({ result }) => result?.end === 'failed').map(failureOf)[0]
  const open = tasks.every(isAnswered) && !tasks.every(isProven) ? 'unverified' : 'gaps'
  return { status: 'partial', reason: failure ?? (isCapped ? 'cap' : open) }
}

/**
 * Returns the outcome of a table: `done` if each row is without an empty cell, `failed` if no row was
 * recorded and no limit was reached, else `partial`. Copies of documents, and tasks for documents that the
 * table no longer has, do not count.
 */
function decideTableEnding({ tasks, table }: StudyState): StudyEnding {
  const files = table?.documents.files ?? []
  const rows = [...tasks.values()].filter(({ task: { document } }) =>
    files.some(({ path, sha256 }) => path === document?.path && sha256 === document.sha256),
  )
  if (rows.every(({ result }) => result?.end === 'done')) return { status: 'done' }
  const limit = rows.map(limitOf).find((reason) => reason !== undefined)
  if (limit !== undefined) return { status: 'partial', reason: limit }
  if (!rows.some(({ task }) => table?.rows.has(task.id)))
    return { status: 'failed', reason: rows.map(failureOf).find((reason) => reason !== undefined) }
  return { status: 'partial', reason: 'empty_cells' }
}

/**
 * Returns the number of a task's claims whose quote was found, or was not checked yet. Claims that were
 * merged count once.
 */
function provenClaims({ result }: TaskState, { verdicts, standIns }: StudyFindings): number {
  const claimIds = (result?.claims ?? []).map((id) => standIns.get(id) ?? id)
  const isProven = (id: string) => {
    const verdict = verdicts.get(id)
    return verdict === undefined || claimStateOf(verdict) !== 'not_found'
  }
  return new Set(claimIds.filter(isProven)).size
}

type CheckedClaims = Pick<StudyFindings, 'claims' | 'verdicts'> & Partial<Pick<StudyFindings, 'prose'>>

/**
 * Returns the share of claims whose quotes were found, from 0 to 1; claims without a verdict count as not
 * found. Without claims, it is 0 if the study has unchecked prose, else null.
 */
export const computeCitationAccuracy = (state: CheckedClaims): number | null =>
  shareOf(state, (claim) => claim !== 'not_found')

/**
 * Returns the share of claims that are verified, from 0 to 1; claims without a verdict count as not verified.
 * Without claims, it is 0 if the study has unchecked prose, else null.
 */
export const computeSupport = (state: CheckedClaims): number | null =>
  shareOf(state, (claim) => claim === 'verified')

function shareOf(
  { claims, verdicts, prose = new Map() }: CheckedClaims,
  counts: (state: ClaimState) => boolean,
): number | null {
  if (claims.size === 0) return prose.size > 0 ? 0 : null
  let sum = 0
  for (const id of claims.keys()) {
    const verdict = verdicts.get(id)
    if (verdict && counts(claimStateOf(verdict))) sum++
  }
  return sum / claims.size
}

/**
 * Returns the share of the current question's parts that are answered, from 0 to 1. Parts are the tasks,
 * without those skipped as merged or covered, and the parts that the plan dropped because there were too
 * many. A task without a claim whose quote was found counts 0. Any other task counts 1 if it is done, and
 * else partly, by the numbers of its claims and gaps.
 */
export function computeCoverage(study: StudyState): number {
  const state = currentRound(study)
  const parts = askedTasks(state).filter(({ notRun }) => notRun !== 'merged' && notRun !== 'covered')
  const droppedCount = state.plan?.dropped.filter(({ reason }) => reason === 'cap').length ?? 0
  const all = parts.length + droppedCount
  return all === 0 ? 0 : parts.reduce((sum, part) => sum + answeredShare(part, state), 0) / all
}

/** Returns the tasks of the current question that users see, without second checks of claims. */
export function listAskedTasks(study: StudyState) {
  const state = currentRound(study)
  return askedTasks(state).map((task) => ({
    objective: task.task.objective,
    end: task.notRun === undefined ? (task.result?.end ?? 'open') : 'not_run',
    reason: task.notRun,
    claims: provenClaims(task, state),
    gaps: task.result?.gaps ?? [],
  }))
}

/** Returns the number of parts of the current question that the plan dropped because there were too many. */
export const countDropped = (study: StudyState): number =>
  currentRound(study).plan?.dropped.filter(({ reason }) => reason === 'cap').length ?? 0

/**
 * Returns the exit code of a command that has run or shown this study to its end: 130 for cancelled or
 * paused. For done and partial it is 5 if the share of quotes found or of claims verified is below the
 * required one, else 0 for done and 3 for partial. For other statuses it is 1.
 */
export function decideExitCode(study: StudyState): number {
  const state = currentRound(study)
  const { status, head } = state
  if (status === 'cancelled' || status === 'paused') return 130
  if (status !== 'done' && status !== 'partial') return 1
  const cited = computeCitationAccuracy(state)
  if (cited !== null && cited < head.minCitation) return 5
  const support = computeSupport(state)
  if (support !== null && support < (head.minSupport ?? 0)) return 5
  return status === 'done' ? 0 : 3
}

function isAnswered({ result, notRun }: TaskState): boolean {
  return notRun === undefined ? result?.end === 'done' : harmless.has(notRun)
}

/**
 * Returns the share of a task that is answered, from 0 to 1. Claims whose quotes were not found do not count.
 */
function answeredShare(task: TaskState, state: StudyState): number {
  const { result } = task
  if (!result) return 0
  const proven = provenClaims(task, state)
  if (proven === 0) return 0
  return result.end === 'done' ? 1 : proven / (proven + Math.max(1, result.gaps.length))
}

/**
 * Returns the tasks without second checks of claims. A second check is not a part of the question, and one
 * without a result changes nothing.
 */
const askedTasks = ({ tasks }: StudyState) => [...tasks.values()].filter(({ checks }) => checks === undefined)

function limitOf({ result, notRun }: TaskState): string | undefined {
  return [notRun, result?.end, result?.reason].find((word) => word !== undefined && limits.has(word))
}

function failureOf({ result }: TaskState): string | undefined {
  return result && result.end !== 'done' ? (result.reason ?? result.end) : undefined
}

interface AskedTask {
  objective: string
  /** How the task ended, or `not_run` or `open`. */
  end: string
  reason?: string | null
  /** Number of claims of the task, without those whose quotes were not found. */
  claims: number
  gaps: readonly string[]
}

/** Reasons for which a task does not run because another task answers its part. */
const answeredElsewhere = new Set(['merged', 'covered'])

/**
 * Returns a text such as `2 of 3 parts quoted`. A task by rules covers all parts of its objective, because
 * rules search for the whole question at once. Any other task is one part. `dropped` is the number of parts
 * without a task.
 */
export function describeQuotedParts(
  tasks: readonly AskedTask[],
  isByRules: boolean,
  dropped: number,
): string {
  const countedTasks = tasks.filter(
    ({ end, reason }) => end !== 'not_run' || !answeredElsewhere.has(reason ?? ''),
  )
  let all = dropped
  let quoted = 0
  for (const task of countedTasks) {
    const parts = isByRules ? splitQuestion(task.objective) : []
    const names = parts.length > 1 ? parts : [task.objective]
    all += names.length
    if (task.end === 'done') quoted += names.length
    else if (task.claims > 0 && task.gaps.length > 0)
      quoted += names.length - Math.min(names.length, countOpen(names, task.gaps))
  }
  return `${quoted} of ${countNoun(all, 'part')} quoted`
}

/**
 * Returns how many parts the gaps leave open. A gap belongs to the part with which its text ends; a gap about
 * missing words belongs to each part that contains one of them. Any other gap counts as a further open part.
 */
function countOpen(parts: readonly string[], gaps: readonly string[]): number {
  const open = new Set<string>()
  let others = 0
  for (const gap of gaps) {
    const absent = readAbsent(gap).map((word) => word.toLowerCase())
    const isAbout = (part: string) =>
      gap.endsWith(part) || absent.some((name) => part.toLowerCase().includes(name))
    const matchingParts = parts.filter(isAbout)
    if (matchingParts.length === 0) others++
    for (const part of matchingParts) open.add(part)
  }
  return open.size + others
}
