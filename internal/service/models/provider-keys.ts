// The keys of model providers that a person stores: which providers take one, storing it, forgetting it.
import { UserError } from '../../base/errors.ts'
import { suggestNames } from '../../base/text/name-suggestion.ts'
import { providers } from '../../model/providers.ts'
import { keyFile, readStoredKeys, storeKey } from '../../model/stored-keys.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Providers that take a key, as words of the command line. */
export const keyedProviders: readonly string[] = providers
  .filter(({ keys }) => keys.length > 0)
  .map(({ id }) => id)

/** Throws UserError for a name that is not among them. */
export function requireKeyedProvider(name: string): string {
  if (keyedProviders.includes(name)) return name
  throw new UserError(`${sanitizeText(name)} is no provider that takes a key`, {
    hint: suggestNames(name, keyedProviders) || `providers: ${keyedProviders.join(', ')}`,
  })
}

interface StoredKey {
  file: string
  /** There was another one before. */
  replaced: boolean
  /** Variable of the environment that counts before what is stored. */
  variable: string | undefined
}

/** What was copied, without blanks around it. Throws UserError for what is no key, never with its text. */
export function requireKey(text: string): string {
  const key = text.trim()
  if (/^[\x21-\x7e]{8,}$/.test(key)) return key
  throw new UserError('that is no key: a key is one word of at least 8 visible characters', {
    hint: 'copy it again from the page of the provider',
  })
}

/** Throws UserError when what stands in the file cannot be read, or `text` is no key. */
export async function storeProviderKey(env: Env, provider: string, text: string): Promise<StoredKey> {
  const key = requireKey(text)
  const replaced = await storeKey(env, provider, key)
  const variable = providers.find(({ id }) => id === provider)?.keys.find((name) => env[name])
  return { file: keyFile(env), replaced, variable }
}

/** Whether a key of the provider is stored. */
export const hasProviderKey = (env: Env, provider: string): boolean =>
  Object.hasOwn(readStoredKeys(env), provider)

/** Resolves to whether a key was stored. */
export async function forgetProviderKey(env: Env, provider: string): Promise<boolean> {
  return storeKey(env, provider, undefined)
}
