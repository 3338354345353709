// Second check of claims whose quote is not at its stated position, one task per claim.
import { extractTerms } from '../../text-analysis/terms.ts'
import { makeStudyEntry, type StudyClaim, type StudyTask } from '../log/entries.ts'
import { currentRound } from '../log/round.ts'
import type { StudyState } from '../log/state.ts'
import { verifyClaims } from '../verify/verification.ts'
import type { CoordinatorLease } from './coordinator-lease.ts'
import { isBroke, nextTaskNumber } from './schedule.ts'

/** Maximum number of claims per question that get a second check, because each check costs money. */
const maxChecks = 10

/** Checks every claim, then adds the missing second checks. Returns false if there is nothing more to do. */
export async function addClaimChecks(lease: CoordinatorLease): Promise<boolean> {
  await writeVerdicts(lease)
  const { lead, log, write } = lease
  const { state } = log
  if (lead.model.kind === 'rules' || isBroke(state) || Date.now() >= state.head.deadline) return false
  const claims = listUnproven(state)
  let added = false
  for (const claim of claims) {
    const data = {
      task: makeCheck(claim, state),
      why: `the quote of ${claim.id} was not found`,
      checks: claim.id,
    }
    added = (await write(makeStudyEntry('task.added', data, `check:${claim.id}`))) || added
  }
  return added
}

/** Checks the claims of the current question. Claims with a verdict are not checked again. */
export async function writeVerdicts({ lead, log, write }: CoordinatorLease): Promise<void> {
  const { verdicts } = await verifyClaims(currentRound(log.state), lead.read)
  const fresh = verdicts.filter(({ claim }) => !log.state.verdicts.has(claim))
  if (fresh.length === 0) return
  await write(...fresh.map((verdict) => makeStudyEntry('verdict', verdict, `verdict:${verdict.claim}`)))
}

/**
 * Returns claims without a matching quote that a task of the question itself made and that
 * had no second check.
 */
function listUnproven(state: StudyState): StudyClaim[] {
  const { tasks, claims, verdicts } = currentRound(state)
  // if the budget has ended a task, it has no room for a second check
  if ([...tasks.values()].some(({ result }) => result?.end === 'budget')) return []
  const checked = new Set([...tasks.values()].map(({ checks }) => checks))
  const room = maxChecks - [...checked].filter((id) => id !== undefined).length
  const isMissing = ({ id }: StudyClaim) =>
    ['quote_missing', 'locator_wrong'].includes(verdicts.get(id)?.reason ?? '')
  return [...claims.values()]
    .filter((claim) => isMissing(claim) && !checked.has(claim.id))
    .filter((claim) => tasks.get(claim.task)?.checks === undefined)
    .slice(0, Math.max(0, room))
}

function makeCheck({ text, task }: StudyClaim, state: StudyState): StudyTask {
  return {
    id: `t${nextTaskNumber(state)}`,
    kind: 'verify',
    objective: `Check this claim: ${text}`,
    terms: extractTerms(text),
    sources: state.tasks.get(task)?.task.sources ?? state.head.sources,
    boundaries: '',
    output: 'one claim with its quote, or a gap',
    stop: 'the words were found, or three searches found nothing',
    dependsOn: [task],
  }
}
