// The catalogue as it is made from the installed list of prices.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  findCatalogModel,
  makeModelCatalog,
  priceSource,
  readModelCatalog,
  updatedCatalogFile,
} from '../../../../internal/model/catalog/model-catalog.ts'
import { scratch } from '../../../support/scratch.ts'

test('the installed release is the one that the catalog states', () => {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(devDependencies['@pydantic/genai-prices']).toBe(priceSource.version)
  expect(makeModelCatalog().date).toBe(priceSource.date)
})

test('finds a model by the name patterns of the catalog', () => {
  const catalog = makeModelCatalog()
  const idOf = (provider: string, name: string) => findCatalogModel(catalog, provider, name)?.id
  expect(idOf('anthropic', 'claude-sonnet-4-5-20250929')).toBe('claude-sonnet-4-5')
  expect(idOf('openai', 'gpt-5.4-2026-03-05')).toBe('gpt-5.4')
  expect(idOf('gemini', 'gemini-2.5-pro-preview')).toBe('gemini-2.5-pro')
  expect(idOf('openai', 'no-such-model')).toBeUndefined()
})

test('ignores an incomplete file of an update', () => {
  const env = { ANODE_DATA_DIR: join(scratch(), 'data') }
  mkdirSync(env.ANODE_DATA_DIR)
  writeFileSync(updatedCatalogFile(env), '{"date": "2027-')
  expect(readModelCatalog(env).date).toBe(priceSource.date)
})
