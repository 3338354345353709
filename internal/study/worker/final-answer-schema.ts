// Strict parser of a worker's final response, which is one JSON object with claims and gaps, and the end of
// the task that follows from it.
import * as z from 'zod/mini'
import type { RunEnd } from '../../agent/run-end.ts'
import type { FailureKind } from '../../model/model.ts'
import { eachObject, findJsonObject } from '../../text-analysis/json-object.ts'
import {
  type ClaimPlace,
  placesOf,
  type StudyClaim,
  type StudyEvidence,
  type TaskResult,
} from '../log/entries.ts'
import type { TaskStop } from './task-stop.ts'

const textSchema = z.string().check(z.minLength(1), z.maxLength(4000))

const placeSchema = z.object({
  evidence: z._default(z.string(), ''),
  quote: z._default(z.string().check(z.maxLength(4000)), ''),
})

/** Largest number of quotes of one claim. Further quotes are dropped. */
const maxPlaces = 4

const claimSchema = z.object({
  text: textSchema,
  /** Id of the evidence. Empty if the model gives none; without `places`, such a claim is rejected later. */
  evidence: z._default(z.string(), ''),
  quote: z._default(z.string().check(z.maxLength(4000)), ''),
  /** Further quotes of the claim, in addition to `evidence` and `quote`. */
  places: z.optional(z.array(placeSchema)),
  /** The most informative words of the quote. They are dropped if the quote does not contain them. */
  key: z.optional(z.string()),
  stance: z._default(z.enum(['supports', 'refutes', 'mentions']), 'supports'),
  confidence: z._default(z.number().check(z.minimum(0), z.maximum(1)), 0.5),
})

const finalAnswerSchema = z.object({
  claims: z._default(z.array(claimSchema), []),
  gaps: z._default(z.array(textSchema), []),
})
type ReadAnswer = z.output<typeof finalAnswerSchema>
type ReadClaim = ReadAnswer['claims'][number]

export type AnsweredClaim = Omit<ReadClaim, 'places'> & { places?: readonly ClaimPlace[] }
export interface FinalAnswer {
  claims: AnsweredClaim[]
  gaps: string[]
}

/**
 * Largest number of claims of one task, because an endless list is not a result. Further claims are dropped.
 */
const maxClaims = 50

/**
 * Returns the gaps and at most 50 claims of the object in a response, even if it is in a code fence or inside
 * text; otherwise the error.
 */
export function readFinalAnswer(
  reply: string,
): { ok: true; closing: FinalAnswer } | { ok: false; error: string } {
  const replyObject = findJsonObject(reply, ['claims', 'gaps'])
  if (replyObject === undefined) return { ok: false, error: 'the response has no complete JSON object' }
  const read = finalAnswerSchema.safeParse(replyObject)
  if (read.success)
    return {
      ok: true,
      closing: { ...read.data, claims: read.data.claims.slice(0, maxClaims).map(joinPlaces) },
    }
  const issues = read.error.issues.slice(0, 5)
  return { ok: false, error: issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ') }
}

/**
 * Returns a claim in which `evidence` and `quote` are the first quote. Only a claim with several quotes
 * keeps the list.
 */
function joinPlaces({ places = [], ...claim }: ReadClaim): AnsweredClaim {
  const mainPlaces =
    claim.evidence === '' && claim.quote === '' ? [] : [{ evidence: claim.evidence, quote: claim.quote }]
  const unique = new Map([...mainPlaces, ...places].map((place) => [JSON.stringify(place), place]))
  const all = [...unique.values()].slice(0, maxPlaces)
  const [first] = all
  if (!first) return claim
  const { evidence, quote } = first
  return { ...claim, evidence, quote, places: all.length > 1 ? all : undefined }
}

/**
 * Returns at most 50 claims from responses that contain no complete result, because they also have calls or
 * were interrupted. Of claims with the same text and evidence, the last one counts.
 */
export function salvageClaims(replies: readonly string[]): FinalAnswer['claims'] {
  const claimsByKey = new Map<string, AnsweredClaim>()
  for (const reply of replies) {
    for (const { value } of eachObject(reply)) {
      // An object without evidence is only an example of the form, so it is skipped.
      if (!('evidence' in value || 'places' in value)) continue
      const read = claimSchema.safeParse(value)
      if (!read.success) continue
      const claim = joinPlaces(read.data)
      claimsByKey.set(JSON.stringify([claim.text, claim.evidence]), claim)
    }
  }
  return [...claimsByKey.values()].slice(0, maxClaims)
}

interface AdmittedClaims {
  /** Claims with numbers, ready for the log. The numbers follow those of recorded claims. */
  claims: StudyClaim[]
  /** Ids of all claims of the task. */
  ids: string[]
  /** One line about each claim of which the worker has read no cited evidence. */
  refused: string[]
}

/**
 * Returns the claims as lines for the log. Repeated claims, and claims of which the worker has read no
 * cited evidence, are left out. `recorded` are claims of the task from before it was reopened; they stay,
 * repeated or not.
 */
export function admitClaims(
  { claims }: Pick<FinalAnswer, 'claims'>,
  task: string,
  evidence: ReadonlyMap<string, Pick<StudyEvidence, 'id'>>,
  recorded: readonly StudyClaim[] = [],
): AdmittedClaims {
  const out: StudyClaim[] = []
  const refused: string[] = []
  const key = (claim: AnsweredClaim | StudyClaim) => JSON.stringify([claim.text, placesOf(claim)])
  const seenKeys = new Set(recorded.map(key))
  for (const claim of claims) {
    const { text, key: words, stance, confidence } = claim
    const same = key(claim)
    if (seenKeys.has(same)) continue
    seenKeys.add(same)
    const places = placesOf(claim).filter((place) => evidence.has(place.evidence))
    const [first] = places
    if (!first) {
      refused.push(`${claim.evidence === '' ? 'no evidence' : claim.evidence} for: ${text.slice(0, 120)}`)
      continue
    }
    const isKey = words !== undefined && words.trim() !== '' && first.quote.includes(words)
    out.push({
      id: `C${task.slice(1)}.${recorded.length + out.length + 1}`,
      task,
      text,
      ...first,
      places: places.length > 1 ? places : undefined,
      key: isKey ? words : undefined,
      stance,
      confidence,
    })
  }
  return { claims: out, ids: [...recorded, ...out].map(({ id }) => id), refused }
}

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
      return decideFailure(end.reason, end.message)
  }
}

function decideReply(text: string, cutReason?: string): TaskDecision {
  const read = readFinalAnswer(text)
  const why = cutReason === undefined ? {} : { cut: cutReason }
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

function decideFailure(kind: string, message: string): TaskDecision {
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
  { cut: cutReason, end }: { cut?: string | undefined; end?: LimitEnd | undefined },
): Pick<TaskResult, 'end' | 'reason' | 'claims' | 'gaps'> {
  const findings = { claims: ids, gaps }
  if (end !== undefined) return { end, reason: cutReason ?? end, ...findings }
  if (ids.length === 0) return { end: 'partial', reason: cutReason ?? 'no_evidence', ...findings }
  if (cutReason !== undefined) return { end: 'partial', reason: cutReason, ...findings }
  if (gaps.length > 0) return { end: 'partial', reason: 'no_evidence_for_part', ...findings }
  return { end: 'done', ...findings }
}
