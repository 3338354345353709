// Parser of one configuration file, from text to a checked value.
import * as z from 'zod/mini'
import type { EnvironmentVariables } from '../base/environment.ts'
import { UserError } from '../base/errors.ts'
import { isObject } from '../base/untrusted-json.ts'
import { checkConfig } from './check-config.ts'
import { fillVariables } from './environment-references.ts'
import { type AnodeConfig, buildConfigFields } from './schema.ts'

/**
 * Parses a file and fills `{env:NAME}` strings from `env`. Throws UserError with the file, the first problem
 * and its position, and the number of further problems.
 */
export async function parseConfig(
  path: string,
  text: string,
  env: EnvironmentVariables,
): Promise<AnodeConfig> {
  const plain = readPlainConfig(text, env)
  if (plain) return plain
  const issues = checkConfig(text, env)
  if ('config' in issues) return issues.config
  const [first, ...more] = issues.problems
  const count = more.length > 0 ? ` (and ${more.length} more)` : ''
  throw new UserError(`configuration ${path}:${first}${count}`, {
    hint: 'run `anode config doctor` for all of it',
  })
}

/**
 * Parses a valid file without comments and without unset variables, which most files are, so they need no
 * parser that tracks positions. Returns undefined for any other file.
 */
function readPlainConfig(text: string, env: EnvironmentVariables): AnodeConfig | undefined {
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isObject(raw)) return undefined
  const missing: string[] = []
  const value = fillVariables(raw, env, missing)
  if (missing.length > 0) return undefined
  return z.safeParse(buildConfigFields(Object.keys(raw)), value).data
}
