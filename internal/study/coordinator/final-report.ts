// The end of a study: all claims are checked, then the report is written. Rules write it if the model fails.
import type { RunEnd } from '../../agent/run-end.ts'
import type { RequestMeta } from '../../model/model.ts'
import { makeStudyEntry, placesOf, type SourceFacts, type StudyEvidence } from '../log/entries.ts'
import { currentRound } from '../log/round.ts'
import { aggregateReport, composeReportByRule } from '../report/aggregation.ts'
import { verifyClaims } from '../verify/verification.ts'
import type { CoordinatorLease } from './coordinator-lease.ts'
import { openRoleSession } from './role-session.ts'
import { isBroke } from './schedule.ts'

/**
 * Records the verdicts on the claims and the facts about the sources, then writes the report on the current
 * question. If this question has no claims or already has a report, no report is written.
 */
export async function finishStudy(lease: CoordinatorLease): Promise<void> {
  await writeVerdicts(lease)
  await recordSources(lease)
  const { lead, log, write } = lease
  const { journal, study } = lead
  const state = currentRound(log.state)
  if (state.report || state.claims.size === 0) return
  const made = isBroke(state)
    ? composeReportByRule(state, 'budget')
    : await aggregateReport(
        state,
        (opening, meta) => runAggregator(lease, opening, meta),
        await journal.mail.list({ scope: `study:${study}`, states: ['dead'] }),
      )
  if (made)
    await write(makeStudyEntry('report', made, state.reports === 0 ? 'report' : `report${state.reports + 1}`))
}

/** Checks the claims of the current question. Claims with a verdict are not checked again. */
async function writeVerdicts({ lead, log, write }: CoordinatorLease): Promise<void> {
  const { verdicts } = await verifyClaims(currentRound(log.state), lead.read)
  const fresh = verdicts.filter(({ claim }) => !log.state.verdicts.has(claim))
  if (fresh.length === 0) return
  await write(...fresh.map((verdict) => makeStudyEntry('verdict', verdict, `verdict:${verdict.claim}`)))
}

/** Lets the model write the report. It may use the rest of the budget, but must end by the deadline. */
async function runAggregator(
  lease: CoordinatorLease,
  opening: string,
  { purpose, input }: RequestMeta,
): Promise<RunEnd> {
  const { log } = lease
  if (Date.now() >= log.state.head.deadline) return { end: 'limit', reason: 'time', text: '' }
  const session = await openRoleSession(lease, 'report', { opening, meta: { purpose, input } }, lease.check)
  const end = await session.run()
  await log.catchUp()
  switch (session.stopped?.why) {
    case 'budget':
      return { end: 'limit', reason: 'tokens', text: '' }
    case 'deadline':
      return { end: 'limit', reason: 'time', text: '' }
    default:
      return end
  }
}

/**
 * Records the facts about each cited source that has none recorded yet, such as its kind, size,
 * title and date.
 */
async function recordSources({ lead, log, write }: CoordinatorLease): Promise<void> {
  const { claims, evidence, sources } = log.state
  const places = [...claims.values()].flatMap(placesOf)
  const cited = places.map((place) => evidence.get(place.evidence)?.canonical)
  const fresh = [...new Set(cited)].filter((name) => name !== undefined && !sources.has(name)) as string[]
  if (fresh.length === 0 || !lead.describe) return
  const facts = await lead.describe(fresh)
  const whole = facts.map((one) => ({ ...one, ...statedFacts(one.canonical, evidence.values()) }))
  await write(...whole.map((one) => makeStudyEntry('source', one, `source:${one.canonical}`)))
}

/**
 * Returns the title and the date that a web page stated when it was read, as far as it stated them. The page
 * is not requested again.
 */
function statedFacts(canonical: string, evidence: Iterable<StudyEvidence>): Partial<SourceFacts> {
  const own = [...evidence].filter((one) => one.canonical === canonical)
  const title = own.find((one) => one.title !== undefined)?.title
  const date = own.find((one) => one.published !== undefined)?.published
  // An undefined field must not replace a known fact, so it is left out.
  return { ...(title !== undefined && { title }), ...(date !== undefined && { date }) }
}
