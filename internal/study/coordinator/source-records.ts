// Records, at the end of a study, what is known of the sources that its claims rest on.
import { makeStudyEntry } from '../log/entries.ts'
import type { CoordinatorLease } from './coordinator-lease.ts'

/** Sources that are recorded already are left as they are. */
export async function recordSources({ lead, log, write }: CoordinatorLease): Promise<void> {
  const { claims, evidence, sources } = log.state
  const cited = [...claims.values()].map((claim) => evidence.get(claim.evidence)?.canonical)
  const fresh = [...new Set(cited)].filter((name) => name !== undefined && !sources.has(name)) as string[]
  if (fresh.length === 0 || !lead.describe) return
  const facts = await lead.describe(fresh)
  await write(...facts.map((one) => makeStudyEntry('source', one, `source:${one.canonical}`)))
}
