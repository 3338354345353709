// API keys that a user stored with `anode login`, in a file that only this user can read.

import { chmodSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { configDir } from '../base/dirs.ts'
import type { EnvironmentVariables } from '../base/environment.ts'
import { codeOf, UserError } from '../base/errors.ts'
import { makeDirectory } from '../base/files/make-directory.ts'
import { providers } from './providers.ts'

export const keyFile = (env: EnvironmentVariables): string => join(configDir(env), 'keys.json')

/**
 * Returns the stored keys by provider, without entries that are not texts; empty without a file. Throws
 * UserError if the file cannot be read or is not JSON.
 */
export function readStoredKeys(env: EnvironmentVariables): Record<string, string> {
  const path = keyFile(env)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {}
    throw new UserError(`${path} cannot be read`, {
      hint: 'it holds the keys of `anode login`',
      cause: error,
    })
  }
  try {
    const entries = Object.entries(JSON.parse(text) as Record<string, unknown>)
    return Object.fromEntries(
      entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch (error) {
    throw new UserError(`${path} is not valid JSON`, {
      hint: 'remove it and run `anode login` again',
      cause: error,
    })
  }
}

/**
 * Stores the key of a provider, or removes the stored key if the new one is undefined. Resolves to true if a
 * key was stored before. Rejects with UserError if the stored keys cannot be read, and with another error if
 * the file cannot be written.
 */
export async function storeKey(
  env: EnvironmentVariables,
  provider: string,
  key: string | undefined,
): Promise<boolean> {
  const path = keyFile(env)
  const { [provider]: before, ...others } = readStoredKeys(env)
  if (key === undefined && before === undefined) return false
  makeDirectory(dirname(path), 0o700)
  const all = { ...others, ...(key !== undefined && { [provider]: key }) }
  // Every start reads the keys and few starts write them, so the code for writing is loaded only here.
  const { writeAtomic } = await import('../base/files/atomic-write.ts')
  await writeAtomic(path, Buffer.from(`${JSON.stringify(all, null, 2)}\n`), { mode: 0o600 })
  // The user may have created the file with other permissions, so they are set here.
  chmodSync(path, 0o600)
  return before !== undefined
}

/**
 * Returns the environment with the stored key of each known provider in the first variable of the provider,
 * unless one of the provider's variables is set. Throws like `readStoredKeys`.
 */
export function withStoredKeys(env: EnvironmentVariables): EnvironmentVariables {
  const stored = readStoredKeys(env)
  const more = providers.flatMap(({ id, keys }) => {
    const [first] = keys
    const isSet = keys.some((name) => env[name])
    return first === undefined || isSet || stored[id] === undefined ? [] : [[first, stored[id]] as const]
  })
  return more.length === 0 ? env : { ...env, ...Object.fromEntries(more) }
}
