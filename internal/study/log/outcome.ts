// How a study ends, judged from what its log holds: status, reason, coverage and the exit code of the
// command.

import type { StudyStatus } from './entries.ts'
import { currentRound } from './round.ts'
import type { StudyState } from './state.ts'
import type { TaskState } from './task-state.ts'

interface Ending {
  status: Extract<StudyStatus, 'done' | 'partial' | 'failed'>
  /** Machine-readable, for example `budget`, `gaps`, `no_evidence`; absent for `done`. */
  reason?: string
}

/** Ends and reasons that say "enough was allowed, not more", as against "something went wrong". */
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

/** Reasons that leave nothing out of the answer. */
const harmless = new Set(['covered', 'merged'])

/** The status to write once no task is open any more: how the newest question has ended. */
export function decideEnding(study: StudyState): Ending {
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

/** Claims of a task whose quotation was found, or has not been looked for yet. */
function provenClaims(
  { result }: TaskState,
  { verdicts, standIns }: Pick<StudyState, 'verdicts' | 'standIns'>,
): number {
  const found = (result?.claims ?? []).map((id) => standIns.get(id) ?? id)
  return new Set(found.filter((id) => verdicts.get(id)?.verified !== false)).size
}

/**
 * Verified claims over all claims; null when there is no claim to check, 0 when there is nothing but
 * an answer
 * that came as prose.
 */
export function computeCitationAccuracy({
  claims,
  verdicts,
  prose = new Map(),
}: Pick<StudyState, 'claims' | 'verdicts'> & Partial<Pick<StudyState, 'prose'>>): number | null {
  if (claims.size === 0) return prose.size > 0 ? 0 : null
  let verified = 0
  for (const id of claims.keys()) if (verdicts.get(id)?.verified) verified++
  return verified / claims.size
}

/**
 * Answered parts over parts. Parts are the tasks of the plan and what was cut off it; a task with claims and
 * gaps counts by the share of its claims in both.
 */
export function computeCoverage(study: StudyState): number {
  const state = currentRound(study)
  const parts = askedTasks(state).filter(({ notRun }) => notRun !== 'merged' && notRun !== 'covered')
  const cut = state.plan?.dropped.filter(({ reason }) => reason === 'cap').length ?? 0
  const all = parts.length + cut
  return all === 0 ? 0 : parts.reduce((sum, part) => sum + answered(part, state), 0) / all
}

/** The exit code of a command that has run or shown this study to its end. */
export function decideExitCode(study: StudyState): number {
  const state = currentRound(study)
  const { status, head } = state
  if (status === 'cancelled' || status === 'paused') return 130
  if (status !== 'done' && status !== 'partial') return 1
  const cited = computeCitationAccuracy(state)
  if (cited !== null && cited < head.minCitation) return 5
  return status === 'done' ? 0 : 3
}

function isAnswered({ result, notRun }: TaskState): boolean {
  return notRun === undefined ? result?.end === 'done' : harmless.has(notRun)
}

/** Claims whose quotation was not found count for nothing. */
function answered(task: TaskState, state: StudyState): number {
  const { result } = task
  if (!result) return 0
  const proven = provenClaims(task, state)
  if (proven === 0) return 0
  return result.end === 'done' ? 1 : proven / (proven + Math.max(1, result.gaps.length))
}

/** A second look at a claim is no part of the question: where it ends without a result nothing is lost. */
const askedTasks = ({ tasks }: StudyState) => [...tasks.values()].filter(({ checks }) => checks === undefined)

function limitOf({ result, notRun }: TaskState): string | undefined {
  return [notRun, result?.end, result?.reason].find((word) => word !== undefined && limits.has(word))
}

function failureOf({ result }: TaskState): string | undefined {
  return result && result.end !== 'done' ? (result.reason ?? result.end) : undefined
}
