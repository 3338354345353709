// Updates of the catalog: accepted and rejected ones.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  makeModelCatalog,
  priceSource,
  readModelCatalog,
} from '../../../../internal/model/catalog/model-catalog.ts'
import { knownModel } from '../../../../internal/model/prices.ts'
import { updateModelCatalog } from '../../../../internal/service/models/model-update.ts'
import { scratch } from '../../../support/scratch.ts'

test.each([
  ['no list', '{}'],
  ['no JSON', '<html>'],
  ['a provider is gone', '[{"id":"openai","models":[]}]'],
])('an update from %s changes nothing', async (_, text) => {
  const dir = scratch()
  const env = { ANODE_DATA_DIR: join(dir, 'data') }
  writeFileSync(join(dir, 'list.json'), text)
  await expect(updateModelCatalog(env, join(dir, 'list.json'), '2027-01-01')).rejects.toThrow(/list|JSON/)
  expect(readModelCatalog(env).date).toBe(priceSource.date)
})

test('a newer list counts from then on; an address of this machine is not fetched', async () => {
  const dir = scratch()
  const env = { ANODE_DATA_DIR: join(dir, 'data') }
  const { providers } = makeModelCatalog()
  const source: Record<string, string> = { gemini: 'google', xai: 'x-ai' }
  const data = Object.keys(providers).map((id) => ({
    id: source[id] ?? id,
    models: [
      { id: 'new', match: { equals: 'new' }, context_window: 5, prices: { input_mtok: 1, output_mtok: 2 } },
    ],
  }))
  writeFileSync(join(dir, 'list.json'), JSON.stringify(data))
  const fresh = { ANODE_DATA_DIR: join(dir, 'other') }
  expect(knownModel('anthropic', 'new', fresh)).toBeUndefined()
  await updateModelCatalog(env, join(dir, 'list.json'), '2027-01-01')
  expect(knownModel('anthropic', 'new', env)).toEqual({ window: 5, price: { input: 1, output: 2 } })
  await expect(updateModelCatalog(env, 'http://127.0.0.1:9/x', '2027-01-01')).rejects.toThrow(/127\.0\.0\.1/)
})
