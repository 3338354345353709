// The last reply of a worker: one JSON object with claims and gaps, read strictly.

import * as z from 'zod/mini'
import { eachObject, findJsonObject } from '../../text-analysis/json-object.ts'
import type { StudyClaim, StudyEvidence } from '../log/entries.ts'

const textSchema = z.string().check(z.minLength(1), z.maxLength(4000))

const claimSchema = z.object({
  text: textSchema,
  /** Absent where a model quotes without saying from what; such a claim is refused when it is recorded. */
  evidence: z._default(z.string(), ''),
  quote: z._default(z.string().check(z.maxLength(4000)), ''),
  stance: z._default(z.enum(['supports', 'refutes', 'mentions']), 'supports'),
  confidence: z._default(z.number().check(z.minimum(0), z.maximum(1)), 0.5),
})

const finalAnswerSchema = z.object({
  claims: z._default(z.array(claimSchema), []),
  gaps: z._default(z.array(textSchema), []),
})
export type FinalAnswer = z.output<typeof finalAnswerSchema>

/** Most claims that one task may make; a list without end is no result. */
const maxClaims = 50

/** The object in a reply that may stand in a code fence or between words; else what is wrong with it. */
export function readFinalAnswer(
  reply: string,
): { ok: true; closing: FinalAnswer } | { ok: false; error: string } {
  const found = findJsonObject(reply, ['claims', 'gaps'])
  if (found === undefined) return { ok: false, error: 'there is no complete JSON object in the reply' }
  const read = finalAnswerSchema.safeParse(found)
  if (read.success)
    return { ok: true, closing: { ...read.data, claims: read.data.claims.slice(0, maxClaims) } }
  const issues = read.error.issues.slice(0, 5)
  return { ok: false, error: issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ') }
}

/**
 * Claims in replies that hold no result as a whole: beside calls, or in one that was cut off. What is said
 * twice is kept once.
 */
export function salvageClaims(replies: readonly string[]): FinalAnswer['claims'] {
  const found = new Map<string, FinalAnswer['claims'][number]>()
  for (const reply of replies) {
    for (const { value } of eachObject(reply)) {
      // an example of the form has no evidence
      if (!('evidence' in value)) continue
      const read = claimSchema.safeParse(value)
      if (read.success) found.set(JSON.stringify([read.data.text, read.data.evidence]), read.data)
    }
  }
  return [...found.values()].slice(0, maxClaims)
}

interface AdmittedClaims {
  /** Numbered for the log, after those that are on record. */
  claims: StudyClaim[]
  /** Ids of all claims of the task. */
  ids: string[]
  /** One line for each that points at evidence nobody has read. */
  refused: string[]
}

/** `recorded`: claims of the task from before it was opened again; they stand, said again or not. */
export function admitClaims(
  { claims }: Pick<FinalAnswer, 'claims'>,
  task: string,
  evidence: ReadonlyMap<string, Pick<StudyEvidence, 'id'>>,
  recorded: readonly StudyClaim[] = [],
): AdmittedClaims {
  const out: StudyClaim[] = []
  const refused: string[] = []
  const key = (text: string, id: string, quote: string) => JSON.stringify([text, id, quote])
  const seen = new Set(recorded.map(({ text, evidence: id, quote }) => key(text, id, quote)))
  for (const { text, evidence: id, quote, stance, confidence } of claims) {
    const same = key(text, id, quote)
    if (seen.has(same)) continue
    seen.add(same)
    if (!evidence.has(id)) refused.push(`${id === '' ? 'no evidence' : id} for: ${text.slice(0, 120)}`)
    else {
      const n = recorded.length + out.length + 1
      out.push({ id: `C${task.slice(1)}.${n}`, task, text, evidence: id, quote, stance, confidence })
    }
  }
  return { claims: out, ids: [...recorded, ...out].map(({ id }) => id), refused }
}
