// The estimated cost of a study, shown before the first paid request.
import { expect, test } from 'vitest'
import type { Model } from '../../../../internal/model/model.ts'
import {
  estimateStudy,
  formatEstimate,
  type StudyEstimate,
  sayCost,
} from '../../../../internal/service/study/cost-estimate.ts'

const llm = (rates?: { input: number; output: number }) =>
  ({ id: 'lab/small', kind: 'llm', window: 100_000, ...(rates && { rates }) }) as unknown as Model
const head = { workers: 3, maxSteps: 20, budget: {} }
const of = (...args: Parameters<typeof estimateStudy>) => estimateStudy(...args) as StudyEstimate

test('models that cost nothing have no estimate', () => {
  expect(estimateStudy({ id: 'builtin/extract', kind: 'rules' } as Model, head)).toBeUndefined()
  expect(estimateStudy({ id: 'script:x', kind: 'script' } as Model, head)).toBeUndefined()
})

test('more tasks and more steps cost more, a plan that is there costs nothing', () => {
  const model = llm({ input: 3, output: 15 })
  const one = of(model, head, { tasks: 1 })
  const three = of(model, head)
  expect(three.tokens).toBeGreaterThan(2 * one.tokens)
  expect(of(model, { ...head, maxSteps: 3 }).tokens).toBeLessThan(three.tokens)
  expect(of(model, head, { isPlanned: true }).tokens).toBeLessThan(three.tokens)
  expect(three.usd).toBeGreaterThan((three.tokens * 3) / 1_000_000)
})

test('a limit in tokens bounds it, an unknown price stays unknown', () => {
  const model = llm({ input: 1, output: 1 })
  const bounded = of(model, { ...head, budget: { tokens: 10_000, usd: 5 } })
  expect(bounded).toMatchObject({ tokens: 10_000, limitUsd: 5 })
  expect(bounded.usd).toBeCloseTo(0.01)
  const unknown = of(llm(), head)
  expect(unknown.usd).toBeNull()
  expect(formatEstimate(unknown)).toContain('price unknown')
})

test('is one line of round figures, shown before any request', async () => {
  const estimate = { model: 'lab/small', tasks: 1, steps: 8, tokens: 123_456, usd: 0.4567, seconds: 130 }
  const line = 'estimate  about 120,000 tokens, $0.46, 2 min (1 task of about 8 steps, lab/small)'
  expect(formatEstimate(estimate)).toBe(line)
  const said: string[] = []
  const refuse = async () => Promise.reject(new Error(`after ${said.length} line`))
  await expect(sayCost(estimate, refuse, { note: (text) => void said.push(text) })).rejects.toThrow(
    'after 1 line',
  )
  expect(said).toEqual([line])
})
