// A preview of the plan of a study. Neither the study nor the plan is stored.
import { streamTurn } from '../../agent/turn.ts'
import type { ModelMessage } from '../../model/model.ts'
import { buildPlannerPrompt as opening } from '../../study/coordinator/coordinator.ts'
import { type AskPlanner, type PlanResult, planStudy } from '../../study/plan/plan.ts'
import planner from '../../study/plan/planner-prompt.md'
import { prepareStudy, type StudyRequest, type StudyRun, withStudyRuntime } from './request.ts'
import { withLocalJournal } from './run-study.ts'

type PlanRun = Pick<StudyRun, 'cwd' | 'env' | 'note' | 'signal'>

/**
 * Returns the plan that a study would use: from the plan file or, without one, from the planner model. Throws
 * UserError for an invalid request, like `startStudy`.
 */
export async function previewPlan(request: StudyRequest, run: PlanRun): Promise<PlanResult> {
  return withLocalJournal(run, () =>
    withStudyRuntime(run, request.sources, async (runtime) => {
      const {
        head,
        frame,
        model,
        frequency,
        map,
        plan: filePlan,
      } = await prepareStudy(request, request.engine, run, runtime)
      if (filePlan) return filePlan
      const { question, workers } = head
      const messages: ModelMessage[] = [
        { role: 'system', content: planner.trim() },
        {
          role: 'user',
          content: opening(head, map),
        },
      ]
      const ask: AskPlanner = async (note) => {
        if (note !== undefined) messages.push({ role: 'user', content: note, origin: 'note' })
        const input = { question, workers, corpus: { frequency } }
        const modelRequest = { messages, tools: [], meta: { purpose: 'plan' as const, task: 'plan', input } }
        const stream = streamTurn(model, modelRequest, run.signal)
        for (;;) {
          const { done, value } = await stream.next()
          if (!done) continue
          if (value.failure)
            return { failed: value.failure.message, quiet: value.failure.kind === 'script_exhausted' }
          messages.push({ role: 'assistant', content: value.text })
          return { text: value.text }
        }
      }
      return planStudy(frame, { frequency, ask, isByRules: model.kind === 'rules' })
    }),
  )
}
