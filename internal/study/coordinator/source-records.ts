// Records, at the end of a study, what is known of the sources that its claims rest on.
import { makeStudyEntry, type SourceFacts, type StudyEvidence } from '../log/entries.ts'
import type { CoordinatorLease } from './coordinator-lease.ts'

/** Sources that are recorded already are left as they are. */
export async function recordSources({ lead, log, write }: CoordinatorLease): Promise<void> {
  const { claims, evidence, sources } = log.state
  const cited = [...claims.values()].map((claim) => evidence.get(claim.evidence)?.canonical)
  const fresh = [...new Set(cited)].filter((name) => name !== undefined && !sources.has(name)) as string[]
  if (fresh.length === 0 || !lead.describe) return
  const facts = await lead.describe(fresh)
  const whole = facts.map((one) => ({ ...one, ...statedFacts(one.canonical, evidence.values()) }))
  await write(...whole.map((one) => makeStudyEntry('source', one, `source:${one.canonical}`)))
}

/** What a page said of itself when it was read: nobody opens it again. */
function statedFacts(canonical: string, evidence: Iterable<StudyEvidence>): Partial<SourceFacts> {
  const own = [...evidence].filter((one) => one.canonical === canonical)
  const title = own.find((one) => one.title !== undefined)?.title
  const date = own.find((one) => one.published !== undefined)?.published
  // absent fields leave what is known
  return { ...(title !== undefined && { title }), ...(date !== undefined && { date }) }
}
