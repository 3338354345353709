// Strict parser of a worker's final response, which is one JSON object with claims and gaps.

import * as z from 'zod/mini'
import { eachObject, findJsonObject } from '../../text-analysis/json-object.ts'
import { type ClaimPlace, placesOf, type StudyClaim, type StudyEvidence } from '../log/entries.ts'

const textSchema = z.string().check(z.minLength(1), z.maxLength(4000))

const placeSchema = z.object({
  evidence: z._default(z.string(), ''),
  quote: z._default(z.string().check(z.maxLength(4000)), ''),
})

/** Largest number of quotes of one claim. Further quotes are dropped. */
const maxPlaces = 4

const claimSchema = z.object({
  text: textSchema,
  /** Id of the evidence. Empty if the model gives none; such a claim is rejected when it is recorded. */
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
  const found = findJsonObject(reply, ['claims', 'gaps'])
  if (found === undefined) return { ok: false, error: 'the response has no complete JSON object' }
  const read = finalAnswerSchema.safeParse(found)
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
  const own =
    claim.evidence === '' && claim.quote === '' ? [] : [{ evidence: claim.evidence, quote: claim.quote }]
  const unique = new Map([...own, ...places].map((place) => [JSON.stringify(place), place]))
  const all = [...unique.values()].slice(0, maxPlaces)
  const [first] = all
  if (!first) return claim
  const { evidence, quote } = first
  return { ...claim, evidence, quote, places: all.length > 1 ? all : undefined }
}

/**
 * Returns the claims in responses that contain no complete result, because they also have calls or were
 * interrupted. Duplicates are dropped.
 */
export function salvageClaims(replies: readonly string[]): FinalAnswer['claims'] {
  const found = new Map<string, AnsweredClaim>()
  for (const reply of replies) {
    for (const { value } of eachObject(reply)) {
      // An object without evidence is only an example of the form, so it is skipped.
      if (!('evidence' in value || 'places' in value)) continue
      const read = claimSchema.safeParse(value)
      if (!read.success) continue
      const claim = joinPlaces(read.data)
      found.set(JSON.stringify([claim.text, claim.evidence]), claim)
    }
  }
  return [...found.values()].slice(0, maxClaims)
}

interface AdmittedClaims {
  /** Claims with numbers, ready for the log. The numbers follow those of recorded claims. */
  claims: StudyClaim[]
  /** Ids of all claims of the task. */
  ids: string[]
  /** One line about each claim that cites evidence which the worker has not read. */
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
  const seen = new Set(recorded.map(key))
  for (const claim of claims) {
    const { text, key: words, stance, confidence } = claim
    const same = key(claim)
    if (seen.has(same)) continue
    seen.add(same)
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
