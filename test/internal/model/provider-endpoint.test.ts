// Checks addresses, keys, windows and prices of endpoints.
import { expect, test } from 'vitest'
import { knownModel } from '../../../internal/model/prices.ts'
import {
  allKeys,
  findEndpoint,
  listUsableProviders,
  usualIdleMs,
} from '../../../internal/model/provider-endpoint.ts'
import { providers } from '../../../internal/model/providers.ts'

const baseOf = (name: string, env: Record<string, string>, settings = {}) =>
  findEndpoint(name, env, settings).endpoint.baseUrl

const addresses: [string, Record<string, string>, string][] = [
  ['openai/x', { OPENAI_API_KEY: 'k' }, 'https://api.openai.com/v1'],
  ['openai/x', { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1/' }, 'http://127.0.0.1:9/v1'],
  ['ollama/x', {}, 'http://127.0.0.1:11434/v1'],
  ['ollama/x', { OLLAMA_HOST: '0.0.0.0:9999' }, 'http://127.0.0.1:9999/v1'],
  ['ollama/x', { OLLAMA_HOST: 'https://box/' }, 'https://box/v1'],
  ['ollama/x', { OLLAMA_BASE_URL: 'http://box/api/v1' }, 'http://box/api/v1'],
  ['openai/x', { OPENAI_BASE_URL: 'https://user:p%40ss@host/v1' }, 'https://user:p%40ss@host/v1'],
  ['openai/x', { OPENAI_BASE_URL: 'https://user:50%off@host/v1' }, 'https://user:50%25off@host/v1'],
]
test.each(addresses)('resolves the URL of %s with %j', (name, env, url) =>
  expect(baseOf(name, env)).toBe(url),
)

test('prefers the configuration to the environment', () => {
  const settings = {
    openai: { baseUrl: 'http://own/v1', apiKey: 'own-key', headers: { a: 'b' }, timeouts: { idle: 5 } },
  }
  const { endpoint } = findEndpoint(
    'openai/x',
    { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://env/v1' },
    settings,
  )
  expect(endpoint).toEqual({ baseUrl: 'http://own/v1', key: 'own-key', headers: { a: 'b' }, idleMs: 5 })
  expect(findEndpoint('openai/x', { OPENAI_API_KEY: 'k' }, {}).endpoint.idleMs).toBe(usualIdleMs)
})

test('finds window and price of known, configured and unknown models', () => {
  const env = { OPENAI_API_KEY: 'k' }
  const known = knownModel('openai', 'gpt-4o')
  expect(findEndpoint('openai/gpt-4o', env, {})).toMatchObject({ window: known?.window, price: known?.price })
  const own = { openai: { window: 9, price: { input: 1, output: 2, cached: undefined } } }
  expect(findEndpoint('openai/gpt-4o', env, own)).toMatchObject({ window: 9, price: { input: 1, output: 2 } })
  expect(findEndpoint('openai/other', env, {})).toMatchObject({ window: 128_000, price: undefined })
})

test('a known model at another URL has no known price', () => {
  const env = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }
  expect(findEndpoint('openai/gpt-4o', env, {}).price).toBeUndefined()
})

test('the password of a URL is a secret, also with a bare percent sign', () => {
  const env = { OPENAI_BASE_URL: 'https://user:50%off@host/v1' }
  expect(findEndpoint('openai/x', env, {}).keys).toEqual(['50%25off', '50%off'])
})

test('lists every key of the environment and the configuration, so that messages can omit them', () => {
  const settings = { lab: { apiKey: 'one', headers: { 'x-api-key': 'two', accept: 'three' } } }
  expect(allKeys({ GROQ_API_KEY: 'four', PATH: '/bin' }, settings).sort()).toEqual(['four', 'one', 'two'])
})

test('lists the providers that have a key or a configuration', () => {
  expect(listUsableProviders({}, {})).toEqual([])
  expect(listUsableProviders({ OLLAMA_HOST: 'box', OLLAMA_API_KEY: 'k' }, {})).toEqual([])
  expect(listUsableProviders({ HF_TOKEN: 'k', GROQ_API_KEY: 'k' }, { lab: { baseUrl: 'http://x' } })).toEqual(
    ['lab', 'groq', 'huggingface'],
  )
  expect(listUsableProviders({ GROQ_API_KEY: 'k' }, { groq: { apiKey: 'k' }, xai: { model: 'm' } })).toEqual([
    'groq',
  ])
})

test('the table contains every provider of the manual', () => {
  const named =
    'anthropic openai zai zai-coding gemini groq deepseek mistral fireworks xai openrouter together cerebras deepinfra huggingface ollama openai-compatible custom'
  expect(providers.map(({ id }) => id)).toEqual(named.split(' '))
  for (const { id, baseUrl, keys, model } of providers) {
    if (id === 'openai-compatible' || id === 'custom') continue
    expect(new URL(baseUrl).href.replace(/\/$/, ''), id).toBe(baseUrl)
    expect(model, id).not.toBe('')
    if (id !== 'ollama') expect(keys[0], id).toMatch(/^[A-Z][A-Z_]+$/)
  }
})

test('a variable that is not set affects only the provider that refers to it', () => {
  const settings = { lab: { baseUrl: 'http://x/v1', model: 'm', apiKey: '{env:LAB_KEY}' } }
  expect(() => findEndpoint('lab', {}, settings)).toThrow('lab needs the environment variable LAB_KEY')
  expect(listUsableProviders({ GROQ_API_KEY: 'k' }, settings)).toEqual(['groq'])
  expect(findEndpoint('groq/x', { GROQ_API_KEY: 'k' }, settings).model).toBe('x')
})

test('a local server has more time for its first byte unless a limit is set', () => {
  const first = (timeouts?: object) =>
    findEndpoint('ollama/x', {}, { ollama: { ...(timeouts && { timeouts }) } }).endpoint.firstByteMs
  expect(first()).toBe(30 * 60_000)
  expect(first({ idle: 5 })).toBeUndefined()
  expect(first({ idle: 5, firstByte: 7 })).toBe(7)
  expect(findEndpoint('openai/x', { OPENAI_API_KEY: 'k' }, {}).endpoint.firstByteMs).toBeUndefined()
})

const readers: [string, boolean | undefined, boolean][] = [
  ['anthropic/claude-sonnet-5', undefined, true],
  ['anthropic/claude-3-5-sonnet-20241022', undefined, true],
  ['anthropic/claude-3-haiku-20240307', undefined, false],
  ['anthropic/claude-sonnet-5', false, false],
  ['openai/gpt-5.4', undefined, true],
  ['openai/gpt-4o-mini', undefined, true],
  ['openai/gpt-3.5-turbo', undefined, false],
  ['openai/o3-mini', undefined, false],
  ['groq/openai/gpt-oss-120b', undefined, false],
  ['own/gpt-5.4', undefined, false],
  ['own/any', true, true],
]
test.each(readers)('%s with documents %s reads documents: %s', (name, documents, expected) => {
  const env = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k', GROQ_API_KEY: 'k' }
  const provider = name.slice(0, name.indexOf('/'))
  const own = { ...(provider === 'own' && { baseUrl: 'http://own/v1' }), documents }
  expect(findEndpoint(name, env, { [provider]: own }).takesDocuments).toBe(expected)
})
