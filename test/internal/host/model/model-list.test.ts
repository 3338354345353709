// The models that a person can choose among.
import { expect, test } from 'vitest'
import { listModels } from '../../../../internal/host/model/model-list.ts'
import { scratch } from '../../../support/scratch.ts'

function emptyHome() {
  const dir = scratch()
  return { ANODE_DATA_DIR: dir, XDG_CONFIG_HOME: dir }
}

test('one provider, with window, prices, efforts, and whether there is a key', () => {
  const { models } = listModels({ ...emptyHome(), ANTHROPIC_API_KEY: 'k' }, {}, 'anthropic')
  expect(models.find(({ id }) => id === 'anthropic/claude-sonnet-5')).toEqual({
    id: 'anthropic/claude-sonnet-5',
    provider: 'anthropic',
    window: 1_000_000,
    price: { input: 2, output: 10, cached: 0.2, cacheWrite: 2.5, cacheWrite1h: 4 },
    efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'],
    usable: true,
  })
})

test('all of them, in the order of the providers, none usable without a key', () => {
  const { models, date } = listModels(emptyHome(), {}, undefined)
  expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  expect(new Set(models.map(({ provider }) => provider)).size).toBeGreaterThan(9)
  expect(models[0]?.provider).toBe('anthropic')
  expect(models.some(({ usable }) => usable)).toBe(false)
})

test.each([
  ['antropic', /no provider antropic.*anthropic/],
  ['custom', /nothing is known of the models of custom/],
])('%s', (provider, message) => {
  expect(() => listModels(emptyHome(), {}, provider)).toThrow(message)
})
