// The estimated usage of a study with a language model, shown before its first paid request.
import { countNoun, groupDigits } from '../../base/text/count-noun.ts'
import type { Model } from '../../model/model.ts'
import type { StudyHead } from '../../study/log/entries.ts'

export interface StudyEstimate {
  model: string
  tasks: number
  /** Number of documents of a table. */
  documents?: number
  /** Number of responses for each task. */
  steps: number
  tokens: number
  /** Estimated cost in US dollars; null if the price of the model is unknown. */
  usd: number | null
  seconds: number
  /** The cost limit of the study in US dollars; undefined without a limit. */
  limitUsd?: number
}

/** Approves the cost, or rejects with a UserError. */
export type ApproveCost = (estimate: StudyEstimate) => Promise<void>

/**
 * Average usage in past studies. `steps`: steps of a task. `opening`, `result`, `reply`, `closing`: tokens of
 * the first prompt, of a tool result, of a response, and of the last response.
 */
const usual = {
  steps: 8,
  opening: 3_500,
  result: 1_800,
  reply: 350,
  closing: 1_200,
  secondsPerStep: 7,
} as const

/** Number of requests for the plan, and the average tokens of one; `reporting` has those for the report. */
const planning = { steps: 2, input: 2_500, output: 500 } as const
const reporting = { steps: 2, input: 6_000, output: 1_200 } as const

/**
 * Returns a rough estimate, more often too high than too low. Undefined for a model that is not a language
 * model, because it is free. `isPlanned` means that a plan exists already.
 */
export function estimateStudy(
  model: Model,
  head: Pick<StudyHead, 'workers' | 'maxSteps' | 'budget'>,
  { isPlanned = false, tasks = head.workers }: { isPlanned?: boolean; tasks?: number } = {},
): StudyEstimate | undefined {
  if (model.kind !== 'llm') return undefined
  const steps = Math.min(usual.steps, head.maxSteps)
  // each request contains the conversation so far
  const growth = usual.result + usual.reply
  const taskInput = steps * usual.opening + (growth * steps * (steps - 1)) / 2
  const plan = isPlanned || head.workers === 1 ? { steps: 0, input: 0, output: 0 } : planning
  const input = tasks * taskInput + plan.steps * plan.input + reporting.steps * reporting.input
  const output =
    tasks * ((steps - 1) * usual.reply + usual.closing) +
    plan.steps * plan.output +
    reporting.steps * reporting.output
  const { rates } = model
  const whole = input + output
  const usd = rates ? (input * rates.input + output * rates.output) / 1_000_000 : null
  const { tokens: limit, usd: limitUsd } = head.budget
  return {
    model: model.id,
    tasks,
    steps,
    // a token limit ends the study before it costs more
    tokens: limit !== undefined && limit < whole ? limit : whole,
    usd: limit !== undefined && limit < whole ? (usd === null ? null : (usd * limit) / whole) : usd,
    seconds: (plan.steps + steps + reporting.steps) * usual.secondsPerStep,
    limitUsd,
  }
}

/**
 * Prints the estimate before any paid request, then asks for approval. Rejects if the cost is not approved.
 * Without `approve`, it only prints.
 */
export async function sayCost(
  estimate: StudyEstimate,
  approve: ApproveCost | undefined,
  { note }: { note(text: string): void },
): Promise<void> {
  note(formatEstimate(estimate))
  await approve?.(estimate)
}

/**
 * Returns one line: `estimate  about 250,000 tokens, $0.81, 2 min (3 tasks of about 8 steps,
 * provider/model)`. For a table, it has the number of documents instead of tasks and steps.
 */
export function formatEstimate({ model, tasks, documents, ...rest }: StudyEstimate): string {
  const { steps, tokens, usd, seconds } = rest
  const money = usd === null ? 'price unknown' : `$${usd.toFixed(2)}`
  const time = seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`
  if (documents !== undefined) {
    const cost = tokens === 0 ? 'no tokens, free' : `about ${roundFigure(tokens)} tokens, ${money}`
    return `estimate  ${countNoun(documents, 'document')}, ${cost}, ${time} (${model})`
  }
  const work = `${countNoun(tasks, 'task')} of about ${countNoun(steps, 'step')}`
  return `estimate  about ${roundFigure(tokens)} tokens, ${money}, ${time} (${work}, ${model})`
}

/**
 * Returns the number as text, rounded to two significant figures, because the estimate is not more precise.
 */
function roundFigure(tokens: number): string {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, tokens))) - 1)
  return groupDigits(Math.round(tokens / unit) * unit)
}
