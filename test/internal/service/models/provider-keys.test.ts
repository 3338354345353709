// Keys of providers: providers with keys, invalid keys, and sources that precede a stored key.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  forgetProviderKey,
  keyedProviders,
  requireKeyedProvider,
  storeProviderKey,
} from '../../../../internal/service/models/provider-keys.ts'
import { scratch } from '../../../support/scratch.ts'

test('rejects providers without keys, and unknown ones with the most similar name', () => {
  expect(keyedProviders).toContain('anthropic')
  expect(keyedProviders).not.toContain('ollama')
  expect(requireKeyedProvider('groq')).toBe('groq')
  for (const name of ['ollama', 'antropic'])
    expect(() => requireKeyedProvider(name)).toThrow(`"${name}" is not a provider that takes a key`)
  expect(() => requireKeyedProvider('antropic')).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('anthropic') }),
  )
})

test.each(['', 'short', 'two words of it', 'sk-\u0007bell-and-more'])('rejects %j as a key', async (key) => {
  await expect(storeProviderKey({ XDG_CONFIG_HOME: scratch() }, 'openai', key)).rejects.toThrow('invalid key')
})

test('reports the previous key, and the variable that takes precedence', async () => {
  const env = { XDG_CONFIG_HOME: scratch() }
  const first = await storeProviderKey(env, 'openai', 'sk-first-key')
  expect(first).toMatchObject({ replaced: false, variable: undefined })
  const second = await storeProviderKey({ ...env, OPENAI_API_KEY: 'x' }, 'openai', 'sk-second-key')
  expect(second).toEqual({ file: first.file, replaced: true, variable: 'OPENAI_API_KEY' })
  expect(JSON.parse(readFileSync(first.file, 'utf8'))).toEqual({ openai: 'sk-second-key' })
  expect(await forgetProviderKey(env, 'openai')).toBe(true)
  expect(await forgetProviderKey(env, 'openai')).toBe(false)
})
