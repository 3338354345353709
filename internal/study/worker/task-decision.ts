// Decision about a task, which follows from how the conversation of its worker ended.
import type { RunEnd } from '../../agent/run-end.ts'
import type { FailureKind } from '../../model/model.ts'
import type { TaskResult } from '../log/entries.ts'
import { type FinalAnswer, readFinalAnswer } from './final-answer-schema.ts'
import type { TaskStop } from './task-stop.ts'

/** Ends of a task at a limit. If the limit is raised, the task is opened again. */
type LimitEnd = Extract<TaskResult['end'], 'budget' | 'timed_out'>

export type TaskDecision =
  /**
   * The final response has the right form. `cut`: reason why it is incomplete; `end`: limit that
   * ended the work.
   */
  | { next: 'record'; closing: FinalAnswer; cut?: string; end?: LimitEnd }
  /** An answer in another format, after `tries` responses. */
  | { next: 'prose'; text: string; tries: number }
  /** A typed end without a result. */
  | { next: 'end'; end: TaskResult['end']; reason: string; detail?: string }
  /** The response has another format, so the worker gets the error once. */
  | { next: 'again'; error: string; cut?: string }
  /** Out of ideas or time: one final response with the results so far. */
  | { next: 'close'; cut: 'stalled' | 'deadline' }
  /** Another attempt is allowed. */
  | { next: 'retry'; reason: string; detail: string }
  /** The lease is returned, and the task stays open. */
  | { next: 'back' }
  /** Another worker has the task. */
  | { next: 'drop' }

export function decideTask(end: RunEnd, stopped: TaskStop | undefined): TaskDecision {
  switch (stopped?.why) {
    case 'fenced':
      return { next: 'drop' }
    case 'cancelled':
      return { next: 'back' }
    case 'deadline':
      return { next: 'end', end: 'timed_out', reason: 'deadline' }
    case 'budget':
      return { next: 'end', end: 'budget', reason: 'budget', detail: stopped.detail }
    case 'stalled':
      return { next: 'close', cut: 'stalled' }
    case 'late':
      return { next: 'close', cut: 'deadline' }
  }
  switch (end.end) {
    case 'done':
      return decideReply(end.text)
    case 'partial':
      if (end.reason === 'loop') return { next: 'close', cut: 'stalled' }
      return decideReply(end.text, end.reason === 'turns' ? 'steps' : end.reason)
    case 'limit':
      return end.reason === 'time'
        ? { next: 'end', end: 'timed_out', reason: 'deadline' }
        : { next: 'end', end: 'budget', reason: end.reason }
    case 'cancelled':
      return { next: 'back' }
    case 'failed':
      return failed(end.reason, end.message)
  }
}

function decideReply(text: string, cut?: string): TaskDecision {
  const read = readFinalAnswer(text)
  const why = cut === undefined ? {} : { cut }
  return read.ok
    ? { next: 'record', closing: read.closing, ...why }
    : { next: 'again', error: read.error, ...why }
}

/** Kinds of failures that the request itself did not cause, so that a later attempt may succeed. */
const passing: ReadonlySet<string> = new Set<FailureKind>([
  'rate_limit',
  'server',
  'unreachable',
  'broken',
  'stalled',
])

function failed(kind: string, message: string): TaskDecision {
  const reason = kind === 'unreachable' ? 'model_unreachable' : kind
  if (passing.has(kind)) return { next: 'retry', reason, detail: message }
  return { next: 'end', end: 'failed', reason, detail: message }
}

/**
 * Returns how a task with a recorded result ended. `done` needs at least one claim and no gap. If a limit
 * ended the task, that stays its end.
 */
export function decideTaskEnd(
  ids: readonly string[],
  gaps: readonly string[],
  { cut, end }: { cut?: string | undefined; end?: LimitEnd | undefined },
): Pick<TaskResult, 'end' | 'reason' | 'claims' | 'gaps'> {
  const found = { claims: ids, gaps }
  if (end !== undefined) return { end, reason: cut ?? end, ...found }
  if (ids.length === 0) return { end: 'partial', reason: cut ?? 'no_evidence', ...found }
  if (cut !== undefined) return { end: 'partial', reason: cut, ...found }
  if (gaps.length > 0) return { end: 'partial', reason: 'no_evidence_for_part', ...found }
  return { end: 'done', ...found }
}
