// Final response of a worker: one JSON object with claims and gaps, parsed strictly.

import * as z from 'zod/mini'
import { eachObject, findJsonObject } from '../../text-analysis/json-object.ts'
import type { StudyClaim, StudyEvidence } from '../log/entries.ts'

const textSchema = z.string().check(z.minLength(1), z.maxLength(4000))

const claimSchema = z.object({
  text: textSchema,
  /** Empty if a model quotes without a source. Such a claim is rejected when it is recorded. */
  evidence: z._default(z.string(), ''),
  quote: z._default(z.string().check(z.maxLength(4000)), ''),
  /** Most informative words of the quote. Other text is dropped. */
  key: z.optional(z.string()),
  stance: z._default(z.enum(['supports', 'refutes', 'mentions']), 'supports'),
  confidence: z._default(z.number().check(z.minimum(0), z.maximum(1)), 0.5),
})

const finalAnswerSchema = z.object({
  claims: z._default(z.array(claimSchema), []),
  gaps: z._default(z.array(textSchema), []),
})
export type FinalAnswer = z.output<typeof finalAnswerSchema>

/** Maximum number of claims of one task, because an endless list is not a result. */
const maxClaims = 50

/** Returns the object in a response, also in a code fence or inside text, or the error. */
export function readFinalAnswer(
  reply: string,
): { ok: true; closing: FinalAnswer } | { ok: false; error: string } {
  const found = findJsonObject(reply, ['claims', 'gaps'])
  if (found === undefined) return { ok: false, error: 'the response has no complete JSON object' }
  const read = finalAnswerSchema.safeParse(found)
  if (read.success)
    return { ok: true, closing: { ...read.data, claims: read.data.claims.slice(0, maxClaims) } }
  const issues = read.error.issues.slice(0, 5)
  return { ok: false, error: issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ') }
}

/**
 * Returns the claims in responses without a complete result: next to calls, or in an interrupted
 * response. Duplicates are dropped.
 */
export function salvageClaims(replies: readonly string[]): FinalAnswer['claims'] {
  const found = new Map<string, FinalAnswer['claims'][number]>()
  for (const reply of replies) {
    for (const { value } of eachObject(reply)) {
      // an example of the format has no evidence
      if (!('evidence' in value)) continue
      const read = claimSchema.safeParse(value)
      if (read.success) found.set(JSON.stringify([read.data.text, read.data.evidence]), read.data)
    }
  }
  return [...found.values()].slice(0, maxClaims)
}

interface AdmittedClaims {
  /** Claims with numbers for the log, after those already recorded. */
  claims: StudyClaim[]
  /** Ids of all claims of the task. */
  ids: string[]
  /** One line for each claim whose evidence the worker has not read. */
  refused: string[]
}

/** Admits claims. `recorded`: claims of the task from before it was reopened. They stay, repeated or not. */
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
  for (const { text, evidence: id, quote, key: words, stance, confidence } of claims) {
    const same = key(text, id, quote)
    if (seen.has(same)) continue
    seen.add(same)
    if (!evidence.has(id)) refused.push(`${id === '' ? 'no evidence' : id} for: ${text.slice(0, 120)}`)
    else {
      const n = recorded.length + out.length + 1
      const keyField =
        words !== undefined && words.trim() !== '' && quote.includes(words) ? { key: words } : {}
      out.push({
        id: `C${task.slice(1)}.${n}`,
        task,
        text,
        evidence: id,
        quote,
        ...keyField,
        stance,
        confidence,
      })
    }
  }
  return { claims: out, ids: [...recorded, ...out].map(({ id }) => id), refused }
}
