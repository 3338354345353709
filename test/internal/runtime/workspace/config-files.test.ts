// Which configuration files count, and changes of the user's.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configSchema } from '../../../../internal/config/published.ts'
import {
  findUserConfigFile,
  listConfigFiles,
  readConfigSchema,
  setConfigValue,
} from '../../../../internal/runtime/workspace/config-files.ts'
import { grantTrust } from '../../../../internal/trust/trust.ts'
import { scratch, scratchWith } from '../../../support/scratch.ts'

const envIn = (home: string) => ({
  XDG_CONFIG_HOME: join(home, 'config'),
  XDG_CACHE_HOME: join(home, 'cache'),
  ANODE_DATA_DIR: join(home, 'data'),
})

test('uses the file of a trusted workspace, and the user file unless another file is set', async () => {
  const workspace = scratchWith({ 'anode.json': '{}', 'own.json': '{}' })
  const env = envIn(scratch())
  const states = (extra: Record<string, string> = {}) =>
    listConfigFiles(workspace, { ...env, ...extra }).map(({ what, state }) => `${what}: ${state}`)
  const folders = ['data: not there yet', 'cache: not there yet']
  expect(states()).toEqual([
    'configuration (user): not there',
    'configuration (workspace): not read until `anode trust`',
    ...folders,
  ])
  await setConfigValue(env, 'model', 'builtin/extract')
  await grantTrust(workspace, env.ANODE_DATA_DIR)
  expect(states({ ANODE_CONFIG: join(workspace, 'own.json') })).toEqual([
    'configuration (env): in use',
    'configuration (user): not read: ANODE_CONFIG takes its place',
    'configuration (workspace): in use',
    'data: in use',
    'cache: not there yet',
  ])
})

test('sets a value in the user file, and removes it again', async () => {
  const env = envIn(scratch())
  const file = await setConfigValue(env, 'model', 'builtin/extract')
  expect(file).toBe(findUserConfigFile(env))
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ model: 'builtin/extract' })
  await setConfigValue(env, 'model', undefined)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({})
  const other = join(scratch(), 'named.json')
  expect(await setConfigValue({ ...env, ANODE_CONFIG: other }, 'model', 'builtin/extract')).toBe(other)
  expect(existsSync(other)).toBe(true)
})

test('the schema equals the published schema', async () => {
  expect(await readConfigSchema()).toEqual(configSchema())
})
