// Keys in a file: who may read it, and what counts before them.
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { storeKey } from '../../../internal/model/store-key.ts'
import { keyFile, readStoredKeys, withStoredKeys } from '../../../internal/model/stored-keys.ts'

let env: Record<string, string>
beforeEach(() => {
  env = { XDG_CONFIG_HOME: mkdtempSync(join(tmpdir(), 'anode-keys-')) }
})
afterEach(() => rmSync(env.XDG_CONFIG_HOME as string, { recursive: true, force: true }))

test('stores, replaces and removes each key separately', async () => {
  expect(readStoredKeys(env)).toEqual({})
  expect(await storeKey(env, 'openai', undefined)).toBe(false)
  expect(await storeKey(env, 'openai', 'one')).toBe(false)
  expect(await storeKey(env, 'groq', 'two')).toBe(false)
  expect(await storeKey(env, 'openai', 'three')).toBe(true)
  expect(readStoredKeys(env)).toEqual({ openai: 'three', groq: 'two' })
  expect(await storeKey(env, 'openai', undefined)).toBe(true)
  expect(readStoredKeys(env)).toEqual({ groq: 'two' })
})

test('the next change makes a readable key file private again', async () => {
  await storeKey(env, 'openai', 'one')
  chmodSync(keyFile(env), 0o644)
  await storeKey(env, 'openai', 'two')
  expect(statSync(keyFile(env)).mode & 0o777).toBe(0o600)
})

test('puts a stored key in the first variable of its provider, unless one of its variables is set', async () => {
  await storeKey(env, 'gemini', 'stored')
  expect(withStoredKeys(env).GEMINI_API_KEY).toBe('stored')
  const set = { ...env, GOOGLE_API_KEY: 'set' }
  expect(withStoredKeys(set)).toBe(set)
})

test('skips keys that are not text, and unknown providers', async () => {
  await storeKey(env, 'openai', 'one')
  writeFileSync(keyFile(env), '{ "openai": 7, "nobody": "x" }')
  expect(withStoredKeys(env)).toBe(env)
})
