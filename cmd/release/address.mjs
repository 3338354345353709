// The address of the repository: one constant in package.json, which the owner sets once.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Placeholder for the address of the repository, in package.json and other files,
 * which `setAddress` replaces.
 */
export const placeholder = 'OWNER/anode'

/** Returns the manifest of the package in `root`. */
export function readManifest(root) {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
}

/** Returns `owner/name` from a manifest. Throws if `repository.url` is not a GitHub URL. */
export function repositoryAddress({ repository }) {
  const address = /^git\+https:\/\/github\.com\/([\w.-]+\/[\w.-]+)\.git$/.exec(repository?.url ?? '')?.[1]
  if (!address) throw new Error(`repository.url is not a GitHub URL: ${repository?.url}`)
  return address
}

/**
 * Replaces the current address in all text files that git tracks, except in those of `keepsPlaceholder`.
 * Returns the paths of the changed files. Throws for a text that is not OWNER/NAME.
 */
export function setAddress(root, next) {
  if (!/^[\w-]+\/[\w.-]+$/.test(next)) throw new Error(`invalid address "${next}": expected OWNER/NAME`)
  const current = repositoryAddress(readManifest(root))
  const list = execFileSync('git', ['grep', '-lIzF', current], { cwd: root, encoding: 'utf8' })
  const files = list.split('\0').filter((file) => file !== '' && !keepsPlaceholder.has(file))
  for (const file of files) {
    const path = join(root, file)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(current, next))
  }
  return files
}

/** Files that mention the placeholder itself. */
const keepsPlaceholder = new Set(['cmd/release/address.mjs', 'test/cmd/release/check.test.ts'])
