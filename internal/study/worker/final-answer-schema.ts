// The last reply of a worker: one JSON object with claims and gaps, read strictly.

import * as z from 'zod/mini'
import { findJsonObject } from '../../text-analysis/json-object.ts'
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

/** Claims numbered for the log, and one line for each that points at evidence nobody has read. */
export function admitClaims(
  { claims }: FinalAnswer,
  task: string,
  evidence: ReadonlyMap<string, Pick<StudyEvidence, 'id'>>,
): { claims: StudyClaim[]; refused: string[] } {
  const out: StudyClaim[] = []
  const refused: string[] = []
  const seen = new Set<string>()
  for (const { text, evidence: id, quote, stance, confidence } of claims) {
    const same = JSON.stringify([text, id, quote])
    if (seen.has(same)) continue
    seen.add(same)
    if (!evidence.has(id)) refused.push(`${id === '' ? 'no evidence' : id} for: ${text.slice(0, 120)}`)
    else {
      const n = out.length + 1
      out.push({ id: `C${task.slice(1)}.${n}`, task, text, evidence: id, quote, stance, confidence })
    }
  }
  return { claims: out, refused }
}
