// Estimate of what an evaluation with a paid model will cost, made before its first request.

interface EvaluationSize {
  questions: number
  repeat: number
  workers: number
  /**
   * Maximum number of tokens for one answer to a question, by a study, by one worker, or by the model alone.
   * The answer stops at this limit.
   */
  maxTokens?: number | undefined
  /** Prices in US dollars for a million tokens; undefined if they are unknown. */
  rates?: { input: number; output: number } | undefined
}

export interface EvaluationEstimate {
  tokens: number
  /** Cost in US dollars; null if the price of the model is unknown. */
  usd: number | null
  minutes: number
}

/**
 * Tokens and seconds of one task, one report, and one answer without tools (`bare`), as measured in
 * studies of repositories of some thousand files. A task has about eight steps, each of which sends all
 * earlier text again.
 */
const task = { input: 70_000, output: 3_000, seconds: 60 }
const report = { input: 25_000, output: 2_500, seconds: 30 }
const bare = { input: 200, output: 500, seconds: 8 }

/**
 * Returns an estimate that is rather too high than too low: it assumes that every study uses all its workers.
 */
export function estimateEvaluation(size: EvaluationSize): EvaluationEstimate {
  const { questions, repeat, workers, maxTokens = Number.POSITIVE_INFINITY, rates } = size
  const sides = [
    { input: task.input * workers + report.input, output: task.output * workers + report.output },
    { input: task.input + report.input, output: task.output + report.output },
    bare,
  ].map(({ input, output }) => {
    const share = Math.min(1, maxTokens / (input + output))
    return { input: input * share, output: output * share }
  })
  const rounds = questions * repeat
  const input = rounds * sides.reduce((sum, side) => sum + side.input, 0)
  const output = rounds * sides.reduce((sum, side) => sum + side.output, 0)
  return {
    tokens: Math.round(input + output),
    usd: rates ? (input * rates.input + output * rates.output) / 1e6 : null,
    minutes: Math.ceil((rounds * (2 * (task.seconds + report.seconds) + bare.seconds)) / 60),
  }
}
