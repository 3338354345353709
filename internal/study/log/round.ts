// One question of a study as if it were the only one: its tasks, their claims and its report.
import { mergeClaims, replaceProven } from './merged-claims.ts'
import type { StudyState } from './state.ts'

/**
 * Returns the current state of question `n`: 0 is the first question of the study, others are further
 * questions. Evidence, budget and notices belong to the whole study. Throws for an unknown question.
 */
export function viewRound(state: StudyState, n: number): StudyState {
  if (state.rounds.length === 1 && n === 0) return state
  const round = state.rounds[n]
  if (!round) throw new Error(`study ${state.head.id} has no question ${n}`)
  const { status, reason, report, plan, ...rest } = state
  const roundState = n === state.round ? { status, reason, report } : round
  const end = { status: roundState.status, reason: roundState.reason, report: roundState.report }
  const tasks = new Map([...state.tasks].filter(([, task]) => task.round === n))
  const isOwn = (task: string) => (state.tasks.get(task)?.round ?? 0) === n
  const recorded = new Map([...state.recorded].filter(([, claim]) => isOwn(claim.task)))
  const of = { tasks, verdicts: state.verdicts }
  const { claims, standIns } = replaceProven(mergeClaims(recorded.values(), state.evidence), of)
  const verdicts = new Map([...state.verdicts].filter(([id]) => claims.has(id)))
  const prose = new Map([...state.prose].filter(([task]) => isOwn(task)))
  const { question, created, updated } = round
  const head = { ...state.head, question, created }
  return {
    ...rest,
    ...end,
    round: n,
    updated,
    head,
    tasks,
    recorded,
    claims,
    standIns,
    verdicts,
    prose,
    ...planOf(plan, n),
  }
}

/** Returns the state of the current question: the one that was asked last or whose task was reopened last. */
export const currentRound = (state: StudyState): StudyState => viewRound(state, state.round)

/**
 * Returns the plan for question `n`. It belongs to the first question, so its dropped parts do not apply
 * to another question.
 */
function planOf(plan: StudyState['plan'], n: number): Pick<StudyState, 'plan'> {
  if (!plan) return {}
  return { plan: n === 0 ? plan : { tasks: [], dropped: [], notices: [], of: 'rules' } }
}
