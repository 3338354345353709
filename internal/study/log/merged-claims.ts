// Makes one claim of those in which several tasks state the same fact from the same source: that of the first
// of them.
import { foldSpace } from '../verify/quotation.ts'
import type { StudyClaim, StudyEvidence } from './entries.ts'

export interface MergedClaims {
  /** In the order of `claims`. */
  claims: Map<string, StudyClaim>
  /** By id of a claim that was merged: the id of the one that stands for it. */
  standIns: Map<string, string>
}

/**
 * `claims` come in the order of their ids. Different quotations of one source stay apart unless one holds the
 * other.
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
 * Puts the claim of a second look in the place of the one whose quotation was not found, once its own
 * quotation was found and it says that the claim holds. In place; the claim stays on record.
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

/** What is said, without regard to case, white space and the mark at the end. */
const statement = (text: string) => foldSpace(text.replace(/[\s.!;,]+$/u, '')).toLowerCase()

function overlap(a: string, b: string): boolean {
  const one = foldSpace(a)
  const other = foldSpace(b)
  return one.includes(other) || other.includes(one)
}
