// Check of the claims of a study, once all tasks are over.
import { makeStudyEntry } from '../log/entries.ts'
import { currentRound } from '../log/round.ts'
import { verifyClaims } from '../verify/verification.ts'
import type { CoordinatorLease } from './coordinator-lease.ts'

/** Checks the claims of the current question. Claims with a verdict are not checked again. */
export async function writeVerdicts({ lead, log, write }: CoordinatorLease): Promise<void> {
  const { verdicts } = await verifyClaims(currentRound(log.state), lead.read)
  const fresh = verdicts.filter(({ claim }) => !log.state.verdicts.has(claim))
  if (fresh.length === 0) return
  await write(...fresh.map((verdict) => makeStudyEntry('verdict', verdict, `verdict:${verdict.claim}`)))
}
