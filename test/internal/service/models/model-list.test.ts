// The models that a user can choose.
import { expect, test } from 'vitest'
import type { ProviderSettings } from '../../../../internal/model/providers.ts'
import { listModels } from '../../../../internal/service/models/model-list.ts'
import { scratch } from '../../../support/scratch.ts'

function emptyHome() {
  const dir = scratch()
  return { ANODE_DATA_DIR: dir, XDG_CONFIG_HOME: dir }
}

test('lists one provider with window, prices, efforts, and whether it has a key', () => {
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

test('lists all models in the order of the providers, unusable without a key', () => {
  const { models, date } = listModels(emptyHome(), {}, undefined)
  expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  expect(new Set(models.map(({ provider }) => provider)).size).toBeGreaterThan(9)
  expect(models[0]?.provider).toBe('anthropic')
  expect(models.some(({ usable }) => usable)).toBe(false)
})

test.each([
  ['antropic', /unknown provider "antropic".*anthropic/],
  ['custom', /no model of custom is known/],
])('%s', (provider, message) => {
  expect(() => listModels(emptyHome(), {}, provider)).toThrow(message)
})

test('lists servers on this machine under their provider, with their reported window', () => {
  const servers = [
    {
      kind: 'llama.cpp' as const,
      address: 'http://127.0.0.1:8080',
      models: [{ id: 'smol.gguf', window: 4096 }],
    },
    { kind: 'vllm' as const, address: 'http://127.0.0.1:8000', models: [{ id: 'Qwen/Qwen3-8B' }] },
    { kind: 'ollama' as const, address: 'http://127.0.0.1:11434', models: [{ id: 'qwen3:8b' }] },
  ]
  const settings = { box: { baseUrl: 'http://localhost:8000/v1', models: ['other'] } }
  const { models } = listModels(emptyHome(), settings, undefined, servers)
  expect(models.slice(-3).map(({ id, window, price, usable }) => [id, window, price, usable])).toEqual([
    ['custom/smol.gguf', 4096, null, false],
    ['box/Qwen/Qwen3-8B', null, null, true],
    ['ollama/qwen3:8b', null, null, true],
  ])
  const box = listModels(emptyHome(), settings, 'box', servers).models
  expect(box.map(({ id }) => id)).toEqual(['box/other', 'box/Qwen/Qwen3-8B'])
})

const price = { input: 1.5, output: 6 }
const configured: [string, ProviderSettings, [string, number | null, object | null][]][] = [
  ['custom', { baseUrl: 'http://own/v1', model: 'large' }, [['custom/large', null, null]]],
  [
    'custom',
    { baseUrl: 'http://own/v1', model: 'large', models: ['large', 'small'], window: 9_000, price },
    [
      ['custom/large', 9_000, price],
      ['custom/small', 9_000, price],
    ],
  ],
  ['lab', { baseUrl: 'http://own/v1', models: ['a/b'] }, [['lab/a/b', null, null]]],
  [
    'openai',
    { models: ['gpt-4o', 'own-tune'], window: 5_000 },
    [
      ['openai/gpt-4o', 5_000, {}],
      ['openai/own-tune', 5_000, null],
    ],
  ],
]
test.each(configured)('models of %s as %j configures them', (provider, settings, expected) => {
  const { models } = listModels(emptyHome(), { [provider]: settings }, provider)
  expect(models.map(({ id, window }) => [id, window])).toEqual(expected.map(([id, window]) => [id, window]))
  for (const [i, [, , known]] of expected.entries())
    expect(models[i]?.price).toEqual(known === null ? null : expect.objectContaining(known))
  expect(models.every(({ usable }) => usable)).toBe(settings.baseUrl !== undefined)
})

test('lists a model once that is configured and offered by a local server', () => {
  const servers = [{ address: 'http://127.0.0.1:8080', models: [{ id: 'large', window: 4_096 }] }]
  const settings = { custom: { baseUrl: 'http://127.0.0.1:8080/v1', model: 'large' } }
  const { models } = listModels(emptyHome(), settings, 'custom', servers as never)
  expect(models.map(({ id }) => id)).toEqual(['custom/large'])
})
