// A second look at claims whose quotation does not stand where it was said to stand: one task for each.
import { extractTerms } from '../../text-analysis/terms.ts'
import { makeStudyEntry, type StudyClaim, type StudyTask } from '../log/entries.ts'
import { currentRound } from '../log/round.ts'
import type { StudyState } from '../log/state.ts'
import { verifyClaims } from '../verify/verification.ts'
import type { CoordinatorLease } from './coordinator-lease.ts'
import { isBroke, nextTaskNumber } from './schedule.ts'

/** Most claims of one question that are looked at again; each look is paid. */
const maxChecks = 10

/** Checks every claim, then adds the looks that are missing; false: there is nothing more to do. */
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
      why: `the quotation of ${claim.id} was not found`,
      checks: claim.id,
    }
    added = (await write(makeStudyEntry('task.added', data, `check:${claim.id}`))) || added
  }
  return added
}

/** Checks the claims of the question that is being worked on; what was checked is not checked again. */
export async function writeVerdicts({ lead, log, write }: CoordinatorLease): Promise<void> {
  const { verdicts } = await verifyClaims(currentRound(log.state), lead.read)
  const fresh = verdicts.filter(({ claim }) => !log.state.verdicts.has(claim))
  if (fresh.length === 0) return
  await write(...fresh.map((verdict) => makeStudyEntry('verdict', verdict, `verdict:${verdict.claim}`)))
}

/** Claims without their words, made by a task of the question itself, and not looked at again so far. */
function listUnproven(state: StudyState): StudyClaim[] {
  const { tasks, claims, verdicts } = currentRound(state)
  // where the budget has ended a task there is none for a second look
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
