// The estimated cost of a plan, before any task starts. It is a rule of thumb: an agent sends eight requests,
// each with its first prompt and half of the files in its scope.
import type { BuildPlan } from './plan.ts'
import { isInScope } from './scope.ts'

/** Worker of a task that does not name one. */
const defaultWorker = 'agent'

export interface PlanCost {
  /**
   * Number of tasks for agents of Anode; `programs` counts those for agents of other programs. Tasks with a
   * command count in neither.
   */
  agents: number
  programs: number
  /** Tokens of the agents of Anode, with one attempt for each task. */
  tokens: number
  /** US dollars for these tokens; null if `agents` is above 0 and the price of the model is unknown. */
  usd: number | null
}

/** Price of one million tokens in US dollars. */
interface TokenRates {
  readonly input: number
  readonly output: number
}

/** Requests of an agent for one task, tokens of its first prompt, and tokens of each response. */
const usual = { requests: 8, prompt: 8_000, response: 500 } as const

/**
 * Largest number of tokens that count for the files of a task's scope, because long files are read in part.
 */
const maxReadTokens = 60_000
const bytesPerToken = 4

/**
 * Estimates the cost of a plan. `sizes`: bytes of each file at the start. `turns`: workers for the tasks that
 * name none, used in turn. `rates`: price of the agents' model, undefined if unknown.
 */
export function estimatePlanCost(
  { tasks }: Pick<BuildPlan, 'tasks'>,
  {
    sizes,
    turns,
    rates,
  }: { sizes: ReadonlyMap<string, number>; turns: readonly string[]; rates?: TokenRates },
): PlanCost {
  const cost = { agents: 0, programs: 0, tokens: 0, usd: 0 }
  for (const [i, { do: text, scope, worker }] of tasks.entries()) {
    if (text === undefined) continue
    if ((worker ?? turns[i % turns.length] ?? defaultWorker) !== defaultWorker) {
      cost.programs++
      continue
    }
    const files = [...sizes].filter(([path]) => isInScope(scope, path))
    const bytes = files.reduce((sum, [, size]) => sum + size, 0)
    const read = Math.min(maxReadTokens, Math.ceil(bytes / bytesPerToken))
    const input = usual.requests * (usual.prompt + read / 2)
    const output = usual.requests * usual.response
    cost.agents++
    cost.tokens += input + output
    if (rates) cost.usd += (input * rates.input + output * rates.output) / 1_000_000
  }
  return { ...cost, usd: rates || cost.agents === 0 ? cost.usd : null }
}
