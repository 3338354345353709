// Words for the codes of a study, the same on the page, in the terminal and in reports.
import { describeCode, runReasonWords } from '../../base/text/reason-words.ts'
import type { BoardTask } from './study-board.ts'

/**
 * Words by the reason why a study or a task ended early, did not run, or got no task. A task can also end for
 * each reason for which a run ends.
 */
export const studyReasonWords: Readonly<Record<string, string>> = {
  ...runReasonWords,
  no_evidence: 'no evidence',
  no_evidence_for_part: 'no evidence for a part',
  nothing_found: 'nothing found',
  model_unreachable: 'the model cannot be reached',
  model_unavailable: 'the worker lacks the model',
  model_failed: 'the model failed',
  bad_result: 'the answer was not valid',
  unverified_answer: 'the answer is unverified',
  unverified: 'quotes were not found',
  empty_cells: 'empty cells',
  unreadable: 'unreadable',
  changed: 'changed',
  gaps: 'gaps',
  lost: 'the worker was lost',
  server_lost: 'connection to the server lost',
  stalled: 'no progress',
  steps: 'no steps left',
  budget: 'no budget left',
  deadline: 'no time left',
  timed_out: 'no time left',
  cap: 'too many parts',
  merged: 'merged with another part',
  covered: 'covered by another task',
  interrupted: 'interrupted',
}

/**
 * Returns the words for the reason why a study or a task ended early or did not run, and the message after it
 * if there is one.
 */
export const describeStudyReason = (reason: string): string => describeCode(reason, studyReasonWords)

/** Returns a text such as `partial (no evidence)`; the end alone without a reason. */
export const addStudyReason = (end: string, reason: string | null): string =>
  reason === null ? end : `${end} (${describeStudyReason(reason)})`

/** Returns the words for the end of a task: `timed out` for `timed_out`. */
export const describeTaskEnd = (end: string): string => describeCode(end, {})

/**
 * Returns how a task ended and why, in words. While the task runs, returns its latest call unchanged; null
 * before its first call.
 */
export function describeTaskNews({ phase, news }: Pick<BoardTask, 'phase' | 'news'>): string | null {
  if (news === null || phase === 'running' || phase === 'waiting') return news
  const [end = '', ...reason] = news.split(': ')
  const words = describeTaskEnd(end)
  return reason.length === 0 ? words : `${words}: ${describeStudyReason(reason.join(': '))}`
}

/** Words by the reason why a claim or a cell of a table is not verified. */
export const studyDoubtWords: Readonly<Record<string, string>> = {
  no_evidence: 'no evidence',
  excerpt_damaged: 'evidence damaged',
  quote_missing: 'quote not found in its source',
  locator_wrong: 'quote not at its lines',
  unsupported: 'in other words',
  value_missing: 'value not in its quote',
  not_checked: 'not checked yet',
}

/** Returns the words for the reason why a claim or a cell is not verified. */
export const describeDoubt = (reason: string | null | undefined): string =>
  describeCode(reason ?? 'not_checked', studyDoubtWords)

/** Words by the code of a notice about a study. */
export const studyNoticeWords: Readonly<Record<string, string>> = {
  plan_fallback: 'planned by rules',
  engine_unsafe: 'server not safe',
  journal_restored: 'journal restored',
  read_with_note: 'read with a note',
  model_switched: 'model switched',
}

/** Returns the words for a notice, which is a code and maybe a text after it. */
export const describeNotice = (notice: string): string => describeCode(notice, studyNoticeWords)

const notRead = 'not read: '

/** Returns the words for the reason why a document of a table has no row. */
export const describeMissingRow = (why: string): string =>
  why.startsWith(notRead)
    ? `${notRead}${describeStudyReason(why.slice(notRead.length))}`
    : describeStudyReason(why)
