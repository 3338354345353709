// Run of a task's session up to the decision how the task ended. The model is asked once more if that may
// help, and claims that a limit would lose are saved.

import type { JournalLine } from '../../store/journal/journal.ts'
import { listJournalLines } from '../../store/journal/lines.ts'
import { toStudyEntry } from '../log/entries.ts'
import { isClaimNote, mergeCorrection, writeClaimNote } from './claim-correction.ts'
import { decideTask, readFinalAnswer, salvageClaims, type TaskDecision } from './final-answer-schema.ts'
import { openTaskSession, type TaskSession, type TaskSessionOptions } from './task-session.ts'
import type { TaskStop } from './task-stop.ts'

interface SessionOutcome {
  decision: TaskDecision
  session: TaskSession
}

const correctionStart = 'That is not the closing JSON object ('
const writeCorrection = (error: string) =>
  `${correctionStart}${error}). Reply with {"claims": […], "gaps": […]} and nothing else.`

/** Last note to a worker, by the reason why its work ends. */
const lastNotes = {
  stalled:
    'Nothing new is coming in. Reply now with the closing JSON object: what you have as claims, ' +
    'the rest as gaps.',
  deadline:
    'Time is nearly up. Reply now with the closing JSON object: what you have as claims, the rest as gaps.',
  budget:
    'The budget allows no further look. Reply now with the closing JSON object, short: what you ' +
    'have as claims, the rest as gaps.',
} as const
type LastCut = keyof typeof lastNotes

/**
 * Largest time in milliseconds before the deadline that is reserved for the final response. `closingShare` is
 * the reserved share of the time that is left when the session starts.
 */
const maxClosingMs = 60_000
const closingShare = 0.1

/**
 * Returns the decision to record. So that a limit loses no claims, the model is asked for its results shortly
 * before the deadline, or if the budget allows no other step. If that gives no result, its responses are
 * searched for claims, and an answer in prose is kept.
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
  if (decision.next === 'close') return closeSession(options, decision.cut)
  if (decision.next === 'end' && session.stopped?.why === 'budget' && session.evidence.size > 0)
    return (await closeOnBudget(options, session.stopped)) ?? { decision, session }
  // An earlier worker may have recorded the response to the last note and then died, so the note is
  // not sent again.
  const cutReason = (Object.keys(lastNotes) as LastCut[]).find(
    (key) => lastNotes[key] === session.notes.at(-1),
  )
  if (cutReason !== undefined) return { decision: cutBy(decision, cutReason), session }
  if (decision.next === 'record') return askForCorrection(options, session, decision)
  if (decision.next !== 'again') return { decision, session }
  if (session.notes.some((note) => note.startsWith(correctionStart))) return { decision, session }
  const more = decideTask(await session.askAgain(writeCorrection(decision.error)), session.stopped)
  const isCut = more.next === 'record' && decision.cut !== undefined
  return { decision: isCut ? { ...more, cut: decision.cut as string } : more, session }
}

/**
 * Sends the worker once, in its own conversation, what is wrong with its claims. If the response has another
 * form, the claims stay unchanged.
 */
async function askForCorrection(
  options: TaskSessionOptions,
  session: TaskSession,
  decision: Extract<TaskDecision, { next: 'record' }>,
): Promise<SessionOutcome> {
  const { evidence } = session
  const isAsked = session.notes.some(isClaimNote)
  if (isAsked) {
    // An earlier worker may have recorded both responses and then died, so the first one is read
    // from the record.
    const [before = ''] = (await listReplies(options)).slice(-2)
    const read = readFinalAnswer(before)
    const closing = read.ok ? mergeCorrection(read.closing, decision.closing, evidence) : decision.closing
    return { decision: { ...decision, closing }, session }
  }
  // Claims made by rules are quotes, so they need no correction.
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
 * Returns options that stop the session between two steps shortly before the deadline, so that it can still
 * give its final response.
 */
function withClosingTime(options: TaskSessionOptions): TaskSessionOptions {
  if (options.model.kind === 'rules') return options
  const remainingMs = options.deadline - Date.now()
  const late = options.deadline - Math.min(maxClosingMs, remainingMs * closingShare)
  const check = async (): Promise<TaskStop | undefined> =>
    (await options.check()) ?? (Date.now() >= late ? { why: 'late' } : undefined)
  return { ...options, check }
}

/** Closes a stopped conversation: it is continued from its record for one more response. */
async function closeSession(options: TaskSessionOptions, cutReason: LastCut): Promise<SessionOutcome> {
  const { journal, study } = options.budgetLease
  const session = openTaskSession(options, await listJournalLines(journal, study))
  const decision = decideTask(await session.askAgain(lastNotes[cutReason]), session.stopped)
  return { decision: cutBy(decision, cutReason), session }
}

/**
 * Asks for one more response from the reserved budget. If the conversation is too long, its oldest results
 * are removed. Returns undefined if no response is possible, or if it is not a result.
 */
async function closeOnBudget(
  options: TaskSessionOptions,
  stop: Extract<TaskStop, { why: 'budget' }>,
): Promise<SessionOutcome | undefined> {
  const budgetLease = { ...options.budgetLease, closing: true }
  let outcome = await closeSession({ ...options, budgetLease }, 'budget')
  const { stopped } = outcome.session
  const remainingTokens = (stopped?.why === 'budget' ? stopped.left : undefined) ?? stop.left
  if (stopped?.why === 'budget' && remainingTokens !== undefined && remainingTokens < options.model.window) {
    const model = { ...options.model, window: remainingTokens }
    outcome = await closeSession({ ...options, budgetLease, model }, 'budget')
  }
  const { next } = outcome.decision
  return next === 'record' || next === 'drop' || next === 'back' ? outcome : undefined
}

/**
 * Marks a decision as cut short, even if the worker's final response says something else. A response in
 * another form than a result becomes a result without claims and gaps.
 */
function cutBy(decision: TaskDecision, cutReason: LastCut): TaskDecision {
  const end =
    cutReason === 'budget'
      ? { end: 'budget' as const }
      : cutReason === 'deadline'
        ? { end: 'timed_out' as const }
        : {}
  if (decision.next === 'record') return { ...decision, cut: cutReason, ...end }
  if (decision.next !== 'again' && decision.next !== 'close') return decision
  return { next: 'record', closing: { claims: [], gaps: [] }, cut: cutReason, ...end }
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
 * Returns the decision to use the longer one of the last two responses as an answer in prose, because the
 * other is usually an excuse. Returns `decision` unchanged if that response is empty or JSON, because invalid
 * JSON is not an answer.
 */
function keepProse(decision: TaskDecision, replies: readonly string[]): TaskDecision {
  const [text = ''] = replies
    .slice(-2)
    .map((reply) => reply.trim())
    .sort((a, b) => b.length - a.length)
  return text === '' || /^(?:```\w*\s*)?[{[]/.test(text) ? decision : { next: 'prose', text, tries: 2 }
}

/** Returns the texts of all responses in the conversation, including those of earlier attempts. */
async function listReplies({ budgetLease }: TaskSessionOptions): Promise<string[]> {
  const { journal, study, task } = budgetLease
  const entries = (await listJournalLines(journal, study)).map(toStudyEntry)
  return entries.flatMap(({ kind, data }) => (kind === 'step' && data.task === task ? [data.reply.text] : []))
}
