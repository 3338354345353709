// Checks the rows of the table against each other.
import { expect, test } from 'vitest'
import { knownModel, knownModels } from '../../../internal/model/prices.ts'
import { priceOf, providers } from '../../../internal/model/providers.ts'

test('ids are unique and need no quoting', () => {
  const ids = providers.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^[a-z][a-z-]*$/)
})

test('a default model whose provider has a price list is on it', () => {
  const unlisted: string[] = []
  for (const { id, model } of providers) {
    if (knownModels(id).length > 0 && !knownModel(id, model)) unlisted.push(`${id}/${model}`)
  }
  // newer than the list
  expect(unlisted).toEqual(['together/zai-org/GLM-5.2'])
})

test('every effort rule allows at least one value', () => {
  for (const { id, quirks } of providers) {
    for (const [form, accepted] of quirks.efforts ?? [])
      expect(accepted.length, `${id} ${form}`).toBeGreaterThan(0)
  }
})

test('reads a price of the configuration', () => {
  expect(priceOf({})).toBeUndefined()
  expect(priceOf({ price: { input: 1, output: 2 } })).toEqual({ input: 1, output: 2 })
  expect(priceOf({ price: { input: 1, output: 2, cached: 0 } })).toEqual({ input: 1, output: 2, cached: 0 })
})
