// The plan alone: made as a study would make it, and nothing kept of it.
import { turn } from '../../agent/turn.ts'
import type { ModelMessage } from '../../model/model.ts'
import { question as opening } from '../../study/lead/coordinate.ts'
import planner from '../../study/plan/plan.md'
import { type Ask, type Made, plan } from '../../study/plan/plan.ts'
import { prepare, type StudyRequest, type StudyRun, withGround } from './request.ts'
import { withLocal } from './study.ts'

export type PlanRun = Pick<StudyRun, 'cwd' | 'env' | 'note' | 'signal'>

/** Throws UserError as the start of a study does. */
export async function planOnly(request: StudyRequest, run: PlanRun): Promise<Made> {
  return withLocal(run, () =>
    withGround(run, request.sources, async (ground) => {
      const {
        head,
        frame,
        model,
        frequency,
        plan: given,
      } = await prepare(request, request.engine, run, ground)
      if (given) return given
      const { question, workers, sources } = head
      const messages: ModelMessage[] = [
        { role: 'system', content: planner.trim() },
        {
          role: 'user',
          content: opening(question, workers, sources),
        },
      ]
      const ask: Ask = async (note) => {
        if (note !== undefined) messages.push({ role: 'user', content: note, origin: 'note' })
        const input = { question, workers, corpus: { frequency } }
        const asked = { messages, tools: [], meta: { purpose: 'plan' as const, task: 'plan', input } }
        const stream = turn(model, asked, run.signal)
        for (;;) {
          const { done, value } = await stream.next()
          if (!done) continue
          if (value.failure)
            return { failed: value.failure.message, quiet: value.failure.kind === 'script_exhausted' }
          messages.push({ role: 'assistant', content: value.text })
          return { text: value.text }
        }
      }
      return plan(frame, { frequency, ask })
    }),
  )
}
