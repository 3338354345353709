// Prices of requests, and unknown prices that stay unknown.
import { expect, test } from 'vitest'
import { computeCost, knownModel, knownModels } from '../../../internal/model/prices.ts'
import { providers } from '../../../internal/model/providers.ts'

test('counts cached tokens separately in the price of a request', () => {
  const price = { input: 2, output: 10, cached: 0.5 }
  expect(computeCost({ input: 1_000_000, output: 100_000 }, price)).toBeCloseTo(3)
  expect(computeCost({ input: 1_000_000, output: 0, cached: 400_000 }, price)).toBeCloseTo(1.4)
  expect(computeCost({ input: 1000, output: 0, cached: 5000 }, price)).toBeCloseTo(0.0005)
})

test('long requests have separate prices', () => {
  const price = { input: 1, output: 1, above: { tokens: 1000, input: 2, output: 3 } }
  expect(computeCost({ input: 1000, output: 1000 }, price)).toBeCloseTo(0.002)
  expect(computeCost({ input: 1001, output: 1000 }, price)).toBeCloseTo((1001 * 2 + 3000) / 1e6)
})

test('the price of an unknown model is null', () => {
  expect(computeCost({ input: 1, output: 1 }, undefined)).toBeNull()
  expect(knownModel('openai', 'gpt-5.4-imaginary')).toBeUndefined()
  expect(knownModel('nobody', 'gpt-5')).toBeUndefined()
})

test('uses the price of the base model for names with a date or latest', () => {
  const plain = knownModel('openai', 'gpt-4o')
  expect(plain).toEqual({ window: 128_000, price: { input: 2.5, cached: 1.25, output: 10 } })
  expect(knownModel('openai', 'gpt-4o-2024-08-06')).toEqual(plain)
  expect(knownModel('zai', 'glm-4.7-2026-01-01')).toEqual(knownModel('zai', 'glm-4.7'))
  expect(knownModel('openai', 'gpt-4o-mini')).not.toEqual(plain)
})

test('every row has a known provider and plausible prices', () => {
  for (const { id } of providers) {
    for (const name of knownModels(id)) {
      const model = knownModel(id, name)
      expect(model?.window, name).toBeGreaterThan(2000)
      expect(model?.price.input, name).toBeGreaterThanOrEqual(0)
      expect(model?.price.output, name).toBeGreaterThanOrEqual(0)
      expect(model?.price.cached ?? 0, name).toBeLessThanOrEqual(model?.price.input ?? 0)
    }
  }
})
