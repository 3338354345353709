import { expect, it } from 'vitest'
import { estimateEvaluation } from '../../../internal/study-eval/estimate.ts'

const size = { questions: 10, repeat: 1, workers: 3 }

it('grows with questions, repetitions and workers', () => {
  const one = estimateEvaluation(size)
  expect(estimateEvaluation({ ...size, repeat: 2 }).tokens).toBe(2 * one.tokens)
  expect(estimateEvaluation({ ...size, questions: 100 }).minutes).toBeGreaterThan(9 * one.minutes)
  expect(estimateEvaluation({ ...size, workers: 6 }).tokens).toBeGreaterThan(one.tokens)
})

it('has a price where the rates are known, within the budget of each side', () => {
  expect(estimateEvaluation(size).usd).toBeNull()
  const rates = { input: 1, output: 1 }
  const free = estimateEvaluation({ ...size, rates })
  expect(free.usd).toBeCloseTo(free.tokens / 1e6, 4)
  const held = estimateEvaluation({ ...size, rates, maxTokens: 1000 })
  // two sides with a budget, and the model without tools
  expect(held.tokens).toBe(10 * (1000 + 1000 + 700))
})
