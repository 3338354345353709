// Merge of claims in which several tasks state the same fact from the same source. The first claim remains.
import { foldSpace } from '../verify/quotation.ts'
import type { StudyClaim, StudyEvidence } from './entries.ts'

export interface MergedClaims {
  /** In the order of `claims`. */
  claims: Map<string, StudyClaim>
  /** Id of the remaining claim, by the id of each merged claim. */
  standIns: Map<string, string>
}

/**
 * Merges claims, which are sorted by id. Different quotes of one source stay separate unless
 * one contains the other.
 */
export function mergeClaims(
  claims: Iterable<StudyClaim>,
  evidence: ReadonlyMap<string, Pick<StudyEvidence, 'canonical'>>,
): MergedClaims {
  const merged: MergedClaims = { claims: new Map(), standIns: new Map() }
  const byFact = new Map<string, StudyClaim[]>()
  for (const claim of claims) {
    const source = evidence.get(claim.evidence)?.canonical ?? claim.evidence
    const fact = JSON.stringify([statement(claim.text), source, claim.stance])
    const known = byFact.get(fact) ?? []
    const same = known.find(({ quote }) => overlap(quote, claim.quote))
    if (same) merged.standIns.set(claim.id, same.id)
    else {
      merged.claims.set(claim.id, claim)
      byFact.set(fact, [...known, claim])
    }
  }
  return merged
}

/**
 * Replaces a claim without a matching quote by the claim of its second check, if that confirms it with a
 * matching quote. Changes `merged` in place; the claim stays recorded.
 */
export function replaceProven(
  merged: MergedClaims,
  {
    tasks,
    verdicts,
  }: {
    tasks: ReadonlyMap<string, { checks?: string }>
    verdicts: ReadonlyMap<string, { verified: boolean }>
  },
): MergedClaims {
  for (const claim of [...merged.claims.values()]) {
    const checks = tasks.get(claim.task)?.checks
    const checked = checks === undefined ? undefined : (merged.standIns.get(checks) ?? checks)
    if (checked === undefined || checked === claim.id || !merged.claims.has(checked)) continue
    if (claim.stance !== 'supports' || verdicts.get(claim.id)?.verified !== true) continue
    merged.claims.delete(checked)
    for (const [id, standIn] of merged.standIns) {
      if (standIn === checked) merged.standIns.set(id, claim.id)
    }
    merged.standIns.set(checked, claim.id)
  }
  return merged
}

/** Returns the statement without case, white space and the final punctuation. */
const statement = (text: string) => foldSpace(text.replace(/[\s.!;,]+$/u, '')).toLowerCase()

function overlap(a: string, b: string): boolean {
  const one = foldSpace(a)
  const other = foldSpace(b)
  return one.includes(other) || other.includes(one)
}
