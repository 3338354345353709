// Writes and removes stored API keys. Every start reads the keys and few starts change them, so this is
// a separate file.
import { chmodSync } from 'node:fs'
import { dirname } from 'node:path'
import type { EnvironmentVariables } from '../base/environment.ts'
import { writeAtomic } from '../base/files/atomic-write.ts'
import { makeDirectory } from '../base/files/make-directory.ts'
import { keyFile, readStoredKeys } from './stored-keys.ts'

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
  await writeAtomic(path, Buffer.from(`${JSON.stringify(all, null, 2)}\n`), { mode: 0o600 })
  // The user may have created the file with other permissions, so they are set here.
  chmodSync(path, 0o600)
  return before !== undefined
}
