// Further question to a finished study. New tasks of the same study answer it; they search the
// stored evidence first.
import { UserError } from '../../base/errors.ts'
import type { NewJournalLine } from '../../store/journal/journal.ts'
import { nextTaskNumber } from '../../study/coordinator/task-dispatch.ts'
import { makeStudyEntry, type StudyTask } from '../../study/log/entries.ts'
import type { StudyState } from '../../study/log/state.ts'
import { isStudyOver } from '../../study/log/task-end.ts'
import { splitQuestion } from '../../text-analysis/facets.ts'
import { extractTerms } from '../../text-analysis/terms.ts'
import { type ApproveCost, estimateStudy, sayCost } from './cost-estimate.ts'
import { withStudy } from './known-studies.ts'
import { budgetLimits, type StudyRun, type WorkerPlacement } from './request.ts'
import { type RenewedLimits, renewLimits, reopenStudy } from './resume.ts'

interface FurtherQuestion {
  question: string
  limits: RenewedLimits
  /** Called with the estimated cost before any costs arise. Rejects if the user does not agree. */
  approveCost?: ApproveCost
}

/**
 * Asks the question and returns the state at the end, with the new question as its current round.
 * Throws UserError for an unknown study, and (exit 1) for a study that is not finished, for example
 * because of another question.
 */
export async function askStudy(
  name: string,
  { question, limits, approveCost }: FurtherQuestion,
  placement: Omit<WorkerPlacement, 'engine'> & { engine?: string },
  run: StudyRun,
): Promise<StudyState> {
  const before = await withStudy(name, run, (study) => study.state())
  demandOver(before)
  const renewed = renewLimits(before.head, limits)
  return reopenStudy(before, placement, run, {
    question,
    approve: async (model) => {
      const head = { ...before.head, ...renewed, workers: splitTasks(question, before).length }
      const estimate = estimateStudy(model, head, { isPlanned: true })
      if (estimate) await sayCost(estimate, approveCost, run)
    },
    begin: async (state, journal) => {
      demandOver(state)
      await journal.limit(state.head.id, budgetLimits(renewed.budget))
      return [makeStudyEntry('limits', renewed), ...questionLines(question, state)]
    },
  })
}

/** Throws UserError unless the study has ended as done, partial or failed. */
function demandOver({ status, head, rounds, round }: StudyState): void {
  const ends = ['done', 'partial', 'failed']
  if (ends.includes(status)) return
  const roundText = round > 0 ? ` over the question "${rounds[round]?.question}"` : ''
  const hint = isStudyOver({ status })
    ? `anode study resume ${head.id} continues it; then ask`
    : 'anode study watch follows it; if its process is gone, anode study resume continues it; then ask'
  throw new UserError(`study ${head.id} is ${status}${roundText}: it takes one question at a time`, {
    hint,
    exit: 1,
  })
}

/**
 * Returns the journal lines of the question and its tasks: one task for each part of the question. A
 * rule-based model gets a single task. So does a question with more parts than workers.
 */
function questionLines(question: string, state: StudyState): NewJournalLine[] {
  const n = state.rounds.length
  const number = nextTaskNumber(state)
  const objectives = splitTasks(question, state)
  const tasks = objectives.map((objective, i): StudyTask => {
    const others = objectives.filter((other) => other !== objective)
    return {
      id: `t${number + i}`,
      kind: 'work',
      objective,
      terms: extractTerms(objective),
      sources: state.head.sources,
      boundaries: others.length > 0 ? `others cover: ${others.join('; ')}` : '',
      output: 'claims with evidence and quotes, and gaps',
      stop: 'the question has its answer, or two looks in a row bring nothing new',
      dependsOn: [],
    }
  })
  return [
    makeStudyEntry('ask', { n, question }, `ask:${n}`),
    ...tasks.map((task) => makeStudyEntry('task.added', { task, why: 'a further question', ask: n })),
  ]
}

function splitTasks(question: string, { head }: StudyState): string[] {
  const parts = splitQuestion(question)
  const isSplit = head.model.kind !== 'rules' && parts.length > 1 && parts.length <= head.workers
  return isSplit ? parts : [question]
}
