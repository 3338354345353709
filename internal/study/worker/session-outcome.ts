// Runs a task's session to a decision. It asks again where that helps, and saves results that
// a limit would lose.

import type { JournalLine } from '../../store/journal/journal.ts'
import { listJournalLines } from '../../store/journal/journal-reader.ts'
import { toStudyEntry } from '../log/entries.ts'
import { isClaimNote, mergeCorrection, writeClaimNote } from './claim-correction.ts'
import { readFinalAnswer, salvageClaims } from './final-answer-schema.ts'
import { decideTask, type TaskDecision } from './task-decision.ts'
import { openTaskSession, type TaskSession, type TaskSessionOptions } from './task-session.ts'
import type { TaskStop } from './task-stop.ts'

interface SessionOutcome {
  decision: TaskDecision
  session: TaskSession
}

const correctionStart = 'That is not the closing JSON object ('
const correction = (error: string) =>
  `${correctionStart}${error}). Reply with {"claims": […], "gaps": […]} and nothing else.`

/** Final note to a worker, by the reason for the end of its work. */
const lastNotes = {
  stalled:
    'Nothing new is coming in. Reply now with the closing JSON object: what you have as claims, ' +
    'the rest as gaps.',
  deadline:
    'Time is nearly up. Reply now with the closing JSON object: what you have as claims, the rest as gaps.',
  budget:
    'The budget allows no further look. Reply now with the closing JSON object, short: what you have as ' +
    'claims, the rest as gaps.',
} as const
type LastCut = keyof typeof lastNotes

/** Maximum time before the deadline for the final response, and its share of the time left at the start. */
const maxClosingMs = 60_000
const closingShare = 0.1

/**
 * Returns the decision to record. A claim is never lost to a limit: near the deadline, or without
 * budget for another step, the model is asked for its results. If it cannot be asked, its responses
 * are searched for claims.
 */
export async function runToDecision(
  options: TaskSessionOptions,
  lines: readonly JournalLine[],
): Promise<SessionOutcome> {
  const outcome = await runWithNotes(options, lines)
  const { decision } = outcome
  if (decision.next === 'record' && decision.closing.claims.length > 0) return outcome
  const isCut = decision.next === 'record' && decision.cut !== undefined
  if (decision.next !== 'end' && decision.next !== 'again' && !isCut) return outcome
  const replies = await listReplies(options)
  const claims = salvageClaims(replies)
  if (claims.length > 0) return { ...outcome, decision: keepClaims(decision, claims) }
  return decision.next === 'again' ? { ...outcome, decision: keepProse(decision, replies) } : outcome
}

async function runWithNotes(
  options: TaskSessionOptions,
  lines: readonly JournalLine[],
): Promise<SessionOutcome> {
  const session = openTaskSession(withClosingTime(options), lines)
  const decision = decideTask(await session.run(), session.stopped)
  if (decision.next === 'close') return close(options, decision.cut)
  if (decision.next === 'end' && session.stopped?.why === 'budget' && session.evidence.size > 0)
    return (await closeOnBudget(options, session.stopped)) ?? { decision, session }
  // a worker that died after it may have recorded the response to the final note
  const cut = (Object.keys(lastNotes) as LastCut[]).find((key) => lastNotes[key] === session.notes.at(-1))
  if (cut !== undefined) return { decision: cutBy(decision, cut), session }
  if (decision.next === 'record') return askForCorrection(options, session, decision)
  if (decision.next !== 'again') return { decision, session }
  if (session.notes.some((note) => note.startsWith(correctionStart))) return { decision, session }
  const more = decideTask(await session.askAgain(correction(decision.error)), session.stopped)
  const isCut = more.next === 'record' && decision.cut !== undefined
  return { decision: isCut ? { ...more, cut: decision.cut as string } : more, session }
}

/**
 * Sends the worker once, in its own conversation, the errors of its claims. The claims stay unchanged if the
 * response has another format.
 */
async function askForCorrection(
  options: TaskSessionOptions,
  session: TaskSession,
  decision: Extract<TaskDecision, { next: 'record' }>,
): Promise<SessionOutcome> {
  const { evidence } = session
  const isAsked = session.notes.some(isClaimNote)
  if (isAsked) {
    // a worker that died after the correction has recorded both responses
    const [before = ''] = (await listReplies(options)).slice(-2)
    const read = readFinalAnswer(before)
    const closing = read.ok ? mergeCorrection(read.closing, decision.closing, evidence) : decision.closing
    return { decision: { ...decision, closing }, session }
  }
  // rules quote what they claim
  if (options.model.kind === 'rules' || decision.cut !== undefined) return { decision, session }
  const note = writeClaimNote(decision.closing, evidence)
  if (note === undefined) return { decision, session }
  const more = decideTask(await session.askAgain(note), session.stopped)
  if (more.next === 'drop' || more.next === 'back') return { decision: more, session }
  if (more.next !== 'record') return { decision, session }
  return {
    decision: { ...decision, closing: mergeCorrection(decision.closing, more.closing, evidence) },
    session,
  }
}

/**
 * Returns options with a stop between two steps shortly before the deadline, so that the session can close.
 */
function withClosingTime(options: TaskSessionOptions): TaskSessionOptions {
  if (options.model.kind === 'rules') return options
  const left = options.deadline - Date.now()
  const late = options.deadline - Math.min(maxClosingMs, left * closingShare)
  const check = async (): Promise<TaskStop | undefined> =>
    (await options.check()) ?? (Date.now() >= late ? { why: 'late' } : undefined)
  return { ...options, check }
}

/** Closes a stopped conversation: resumes its record for one more response. */
async function close(options: TaskSessionOptions, cut: LastCut): Promise<SessionOutcome> {
  const { journal, study } = options.budgetLease
  const session = openTaskSession(options, await listJournalLines(journal, study))
  const decision = decideTask(await session.askAgain(lastNotes[cut]), session.stopped)
  return { decision: cutBy(decision, cut), session }
}

/**
 * Asks for one more response from the reserved budget. If the conversation is too long, its oldest results
 * are removed. Returns undefined without room for any response.
 */
async function closeOnBudget(
  options: TaskSessionOptions,
  stop: Extract<TaskStop, { why: 'budget' }>,
): Promise<SessionOutcome | undefined> {
  const budgetLease = { ...options.budgetLease, closing: true }
  let outcome = await close({ ...options, budgetLease }, 'budget')
  const { stopped } = outcome.session
  const left = (stopped?.why === 'budget' ? stopped.left : undefined) ?? stop.left
  if (stopped?.why === 'budget' && left !== undefined && left < options.model.window) {
    const model = { ...options.model, window: left }
    outcome = await close({ ...options, budgetLease, model }, 'budget')
  }
  const { next } = outcome.decision
  return next === 'record' || next === 'drop' || next === 'back' ? outcome : undefined
}

/** Marks a decision as cut short, independent of the worker's final response. */
function cutBy(decision: TaskDecision, cut: LastCut): TaskDecision {
  const end =
    cut === 'budget' ? { end: 'budget' as const } : cut === 'deadline' ? { end: 'timed_out' as const } : {}
  if (decision.next === 'record') return { ...decision, cut, ...end }
  if (decision.next !== 'again' && decision.next !== 'close') return decision
  return { next: 'record', closing: { claims: [], gaps: [] }, cut, ...end }
}

function keepClaims(decision: TaskDecision, claims: ReturnType<typeof salvageClaims>): TaskDecision {
  if (decision.next === 'record') return { ...decision, closing: { ...decision.closing, claims } }
  const closing = { claims, gaps: [] }
  if (decision.next !== 'end') return { next: 'record', closing, cut: 'bad_result' }
  const { end, reason } = decision
  const limit = end === 'budget' || end === 'timed_out' ? { end } : {}
  return { next: 'record', closing, cut: reason, ...limit }
}

/**
 * Returns the decision to answer with the longer of the last two responses as text, because one of them is
 * usually an excuse. Returns the given decision if that response is empty or JSON, because invalid JSON is
 * not an answer.
 */
function keepProse(decision: TaskDecision, replies: readonly string[]): TaskDecision {
  const [text = ''] = replies
    .slice(-2)
    .map((reply) => reply.trim())
    .sort((a, b) => b.length - a.length)
  return text === '' || /^(?:```\w*\s*)?[{[]/.test(text) ? decision : { next: 'prose', text, tries: 2 }
}

/** Returns the texts of all responses so far, including those of earlier attempts. */
async function listReplies({ budgetLease }: TaskSessionOptions): Promise<string[]> {
  const { journal, study, task } = budgetLease
  const entries = (await listJournalLines(journal, study)).map(toStudyEntry)
  return entries.flatMap(({ kind, data }) => (kind === 'step' && data.task === task ? [data.reply.text] : []))
}
