// Stored keys of model providers: which providers need a key, and functions that store and delete it.
import type { EnvironmentVariables } from '../../base/environment.ts'
import { UserError } from '../../base/errors.ts'
import { suggestNames } from '../../base/text/name-suggestion.ts'
import { providers } from '../../model/providers.ts'
import { storeKey } from '../../model/store-key.ts'
import { keyFile, readStoredKeys } from '../../model/stored-keys.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'

/** Providers that take a key, by their name on the command line. */
export const keyedProviders: readonly string[] = providers
  .filter(({ keys }) => keys.length > 0)
  .map(({ id }) => id)

/** Returns the name of a provider that takes a key. Throws UserError for any other name. */
export function requireKeyedProvider(name: string): string {
  if (keyedProviders.includes(name)) return name
  throw new UserError(`"${sanitizeText(name)}" is not a provider that takes a key`, {
    hint: suggestNames(name, keyedProviders) || `providers: ${keyedProviders.join(', ')}`,
  })
}

interface StoredKey {
  file: string
  /** Whether a key of the provider was stored before. */
  replaced: boolean
  /** Environment variable that takes precedence over the stored key; undefined if no such variable is set. */
  variable: string | undefined
}

/**
 * Returns the text without surrounding spaces. Throws UserError unless it is one word of at least 8 visible
 * ASCII characters. The error does not contain the text.
 */
export function requireKey(text: string): string {
  const key = text.trim()
  if (/^[\x21-\x7e]{8,}$/.test(key)) return key
  throw new UserError('invalid key: a key is one word of at least 8 visible characters', {
    hint: 'copy it again from the website of the provider',
  })
}

/** Stores a key. Throws UserError if the file cannot be read or `text` is not a key. */
export async function storeProviderKey(
  env: EnvironmentVariables,
  provider: string,
  text: string,
): Promise<StoredKey> {
  const key = requireKey(text)
  const replaced = await storeKey(env, provider, key)
  const variable = providers.find(({ id }) => id === provider)?.keys.find((name) => env[name])
  return { file: keyFile(env), replaced, variable }
}

/** Returns whether a key of the provider is stored. */
export const hasProviderKey = (env: EnvironmentVariables, provider: string): boolean =>
  Object.hasOwn(readStoredKeys(env), provider)

/** Deletes the key. Resolves to false if no key of the provider was stored before. */
export async function forgetProviderKey(env: EnvironmentVariables, provider: string): Promise<boolean> {
  return storeKey(env, provider, undefined)
}
