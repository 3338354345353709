// API keys that a user stored with `anode login`, in a file that only this user can read.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { configDir } from '../base/dirs.ts'
import type { EnvironmentVariables } from '../base/environment.ts'
import { codeOf, UserError } from '../base/errors.ts'
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
