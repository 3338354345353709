// Editor of one configuration key that preserves comments, order and other keys.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { applyEdits, type FormattingOptions, modify } from 'jsonc-parser'
import { configDir } from '../base/dirs.ts'
import type { EnvironmentVariables } from '../base/environment.ts'
import { UserError } from '../base/errors.ts'
import { writeAtomic } from '../base/files/atomic-write.ts'
import { makeDirectory } from '../base/files/make-directory.ts'
import { checkConfig } from './check-config.ts'

const layout: FormattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' }

/**
 * Returns the path of the user's configuration file: the value of ANODE_CONFIG, else `config.json` in
 * the configuration directory.
 */
export const userConfigFile = (env: EnvironmentVariables): string =>
  env.ANODE_CONFIG || join(configDir(env), 'config.json')

/**
 * Sets `key` (dotted; a part that contains dots is in double quotes) to `value`, or removes it if that is
 * undefined. Creates a missing file and its directory, readable for the user alone. Throws UserError and
 * leaves the file unchanged if it is invalid after the change, or before the change of a key to a value. Also
 * throws if an unknown key is to be removed that the file does not contain.
 */
export async function editConfig(
  path: string,
  key: string,
  value: unknown,
  env: EnvironmentVariables = process.env,
): Promise<void> {
  const parts = splitKeyPath(key)
  let before = ''
  await editJsonFile(path, parts, value, (text, isNew) => {
    // the removal of a key may fix an invalid file, so the file is not checked before it
    if (value === undefined && !isNew) before = text
    else demandValid(path, text, env, isNew && value !== undefined)
    if (isNew && text === before) demandKnown(parts, env)
  })
}

/** Throws UserError for an unknown key. */
function demandKnown(parts: readonly string[], env: EnvironmentVariables): void {
  const text = JSON.stringify(parts.reduceRight<unknown>((inner, part) => ({ [part]: inner }), null))
  const checked = checkConfig(text, env)
  const unknown =
    'problems' in checked
      ? checked.problems.map(withoutPlace).find((one) => one.startsWith('unknown key'))
      : undefined
  if (unknown !== undefined) throw new UserError(unknown, { hint: keysHint })
}

const keysHint = '`anode config schema` names every key and its values'
const withoutPlace = (problem: string) => problem.replace(/^\d+:\d+: /, '')

/**
 * Edits one key, split in parts, of any JSON file with comments; creates a missing file. A `value` of
 * undefined removes the key. `demand` gets the text before the change, then the text after it with `isNew`,
 * and throws if the text is not allowed.
 */
export async function editJsonFile(
  path: string,
  key: readonly string[],
  value: unknown,
  demand: (text: string, isNew: boolean) => void,
): Promise<void> {
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '{}\n'
  demand(before, false)
  const after = applyEdits(before, modify(before, [...key], value, { formattingOptions: layout }))
  demand(after, true)
  makeDirectory(dirname(path), 0o700)
  await writeAtomic(path, Buffer.from(after.endsWith('\n') ? after : `${after}\n`), {
    mode: existsSync(path) ? undefined : 0o600,
  })
}

/**
 * Returns the parts of a dotted key: `providers."my.host".baseUrl` has three. Throws UserError if the text
 * has another form.
 */
export function splitKeyPath(key: string): string[] {
  const parts = [...key.matchAll(/"([^"]+)"|([^."]+)/g)].map((match) => match[1] ?? match[2] ?? '')
  const written = parts.map((part) => (part.includes('.') ? `"${part}"` : part)).join('.')
  if (parts.length === 0 || written !== key.replaceAll(/"([^".]+)"/g, '$1')) {
    throw new UserError(`unknown configuration key: ${key}`, {
      hint: 'write it with dots, like providers.openai.model',
    })
  }
  return parts
}

/**
 * Throws UserError for an invalid text. `isOfKey` means that the text was valid before the key was set, so
 * the error concerns the key.
 */
function demandValid(path: string, text: string, env: EnvironmentVariables, isOfKey: boolean): void {
  const checked = checkConfig(text, env)
  // a variable that is unset at the moment is not an error in the file
  const problems = 'problems' in checked ? checked.problems.filter((one) => !/is not set$/.test(one)) : []
  const [problem] = problems.map(withoutPlace)
  if (problem !== undefined)
    throw isOfKey
      ? new UserError(problem, { hint: keysHint })
      : new UserError(`${path} has errors already: ${problem}`, {
          hint: 'run `anode config doctor` for all of it',
        })
}
