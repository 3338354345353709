// Findings of a study in the order of their ids. Claims are merged if several tasks state the same fact from
// the same source. The first claim stays.
import { foldSpace } from '../verify/quotation.ts'
import type { ClaimVerdict, StudyClaim, StudyEntries, StudyEvidence } from './entries.ts'

export interface MergedClaims {
  /** Claims that remain, in the order of their ids. */
  claims: Map<string, StudyClaim>
  /** For each claim that was merged into another one or replaced by one: the id of the claim that remains. */
  standIns: Map<string, string>
}

/**
 * Evidence and claims of a study, and the results of checking the claims. Of the merged claims, those are
 * replaced that a second check has corrected.
 */
export interface StudyFindings extends Readonly<MergedClaims> {
  /** Evidence by id, sorted by id and not by arrival. */
  readonly evidence: Map<string, StudyEvidence>
  /** Claims as the workers have recorded them, including duplicates. */
  readonly recorded: Map<string, StudyClaim>
  verdicts: Map<string, ClaimVerdict>
  /** Answers in prose instead of claims, by task. They are not checked. */
  prose: Map<string, StudyEntries['prose']>
}

/**
 * Merges claims, which have to be sorted by id, if they have the same text, source and stance. Case, white
 * space and final punctuation of the text do not count. Claims with different quotes stay separate, unless
 * one quote contains the other.
 */
export function mergeClaims(
  claims: Iterable<StudyClaim>,
  evidence: ReadonlyMap<string, Pick<StudyEvidence, 'canonical'>>,
): MergedClaims {
  const merged: MergedClaims = { claims: new Map(), standIns: new Map() }
  const byFact = new Map<string, StudyClaim[]>()
  for (const claim of claims) {
    const source = evidence.get(claim.evidence)?.canonical ?? claim.evidence
    const fact = JSON.stringify([normalizeStatement(claim.text), source, claim.stance])
    const earlierClaims = byFact.get(fact) ?? []
    const same = earlierClaims.find(({ quote }) => isOverlapping(quote, claim.quote))
    if (same) merged.standIns.set(claim.id, same.id)
    else {
      merged.claims.set(claim.id, claim)
      byFact.set(fact, [...earlierClaims, claim])
    }
  }
  return merged
}

/**
 * Replaces each claim that a task checks a second time by the verified claim of that task with the stance
 * `supports`, if it has one. Changes and returns `merged`; the first claim stays in the log.
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

/** Returns the text of a claim without differences in case, white space and final punctuation. */
const normalizeStatement = (text: string) => foldSpace(text.replace(/[\s.!;,]+$/u, '')).toLowerCase()

function isOverlapping(a: string, b: string): boolean {
  const one = foldSpace(a)
  const other = foldSpace(b)
  return one.includes(other) || other.includes(one)
}

/**
 * A map whose items are sorted by id and not by arrival, because results must not depend on the speed
 * of the workers.
 */
export interface OrderedItems<T extends { id: string }> {
  put(item: T): void
  /** Returns the items, sorted. It is the same map each time. */
  items(): Map<string, T>
}

/** Creates the map. Adding an item takes constant time; the items are sorted when the map is read. */
export function createOrderedItems<T extends { id: string }>(): OrderedItems<T> {
  const map = new Map<string, T>()
  let last = 0
  let sorted = true
  return {
    put(item) {
      const place = orderOf(item.id)
      if (place < last) sorted = false
      else last = place
      map.set(item.id, item)
    },
    items() {
      if (sorted) return map
      const inOrder = [...map.values()].sort((a, b) => compareIds(a.id, b.id))
      map.clear()
      for (const item of inOrder) map.set(item.id, item)
      sorted = true
      return map
    },
  }
}

/** Compares two ids by their numbers, so that `C2.10` comes after `C2.9`. */
export function compareIds(a: string, b: string): number {
  return orderOf(a) - orderOf(b)
}

/** Returns the task number and the counter of an id as one number for sorting. */
function orderOf(id: string): number {
  const dot = id.indexOf('.')
  return dot < 0 ? Number(id.slice(1)) * 1e6 : Number(id.slice(1, dot)) * 1e6 + Number(id.slice(dot + 1))
}
