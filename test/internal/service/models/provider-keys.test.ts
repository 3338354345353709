// Keys of providers: which take one, what is no key, and what counts before a stored one.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  forgetProviderKey,
  keyedProviders,
  requireKeyedProvider,
  storeProviderKey,
} from '../../../../internal/service/models/provider-keys.ts'
import { scratch } from '../../../support/scratch.ts'

test('providers without keys, and unknown ones, are refused with the nearest name', () => {
  expect(keyedProviders).toContain('anthropic')
  expect(keyedProviders).not.toContain('ollama')
  expect(requireKeyedProvider('groq')).toBe('groq')
  for (const name of ['ollama', 'antropic'])
    expect(() => requireKeyedProvider(name)).toThrow(`${name} is no provider that takes a key`)
  expect(() => requireKeyedProvider('antropic')).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('anthropic') }),
  )
})

test.each(['', 'short', 'two words of it', 'sk-\u0007bell-and-more'])('%j is no key', async (key) => {
  await expect(storeProviderKey({ XDG_CONFIG_HOME: scratch() }, 'openai', key)).rejects.toThrow('no key')
})

test('says what was there before, and which variable counts more', async () => {
  const env = { XDG_CONFIG_HOME: scratch() }
  const first = await storeProviderKey(env, 'openai', 'sk-first-key')
  expect(first).toMatchObject({ replaced: false, variable: undefined })
  const second = await storeProviderKey({ ...env, OPENAI_API_KEY: 'x' }, 'openai', 'sk-second-key')
  expect(second).toEqual({ file: first.file, replaced: true, variable: 'OPENAI_API_KEY' })
  expect(JSON.parse(readFileSync(first.file, 'utf8'))).toEqual({ openai: 'sk-second-key' })
  expect(await forgetProviderKey(env, 'openai')).toBe(true)
  expect(await forgetProviderKey(env, 'openai')).toBe(false)
})
