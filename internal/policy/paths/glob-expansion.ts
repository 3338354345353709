// The names that a glob on a command line may expand to: every name on disk that the shell could put
// in its place.
import { join } from 'node:path'
import { matchWildcard } from '../rules/rule-match.ts'
import type { DiskView } from './disk-view.ts'

/**
 * Largest numbers of names of one glob, and of directories that are read for it. With more, the names
 * count as unknown.
 */
const maxNames = 1_000
const maxFolders = 200

export interface ExpansionOptions {
  /**
   * True if the line may have set a shell option, so that `*` also matches names with a leading dot, in
   * any letter case.
   */
  anyName: boolean
}

/**
 * Returns the names that `word` may expand to in `dir`. They are a superset of what the shell finds, because
 * brackets match any text. Undefined if there are too many, if a directory cannot be listed, or if `**` may
 * match at any depth. Empty without a match: the shell then keeps the word.
 */
export function expandGlob(
  word: string,
  dir: string,
  disk: DiskView,
  options: ExpansionOptions,
): string[] | undefined {
  const parts = word.split('/')
  let names = [word.startsWith('/') ? '/' : '']
  let folders = 0
  for (const [i, part] of parts.entries()) {
    if (part === '') continue
    const last = i === parts.length - 1
    if (!/[*?[]/.test(part)) {
      names = names.map((name) => name + part + (last ? '' : '/'))
      continue
    }
    // With some shell options `**` matches directories at every depth, so the names are unknown.
    if (part.includes('**') && options.anyName) return undefined
    const next: string[] = []
    for (const name of names) {
      if (++folders > maxFolders) return undefined
      const matches = matchEntries(part, join(name.startsWith('/') ? '/' : dir, name), disk, options)
      if (!matches) return undefined
      next.push(...matches.map((one) => name + one + (last ? '' : '/')))
    }
    if (next.length > maxNames) return undefined
    names = next
  }
  return names
}

/**
 * Returns the entries of a directory that match one part of a glob. If this part starts with a dot, `.` and
 * `..` count as entries and are returned if they match. Empty without a match or if the directory is missing,
 * undefined if it cannot be listed.
 */
function matchEntries(
  part: string,
  dir: string,
  disk: DiskView,
  options: ExpansionOptions,
): string[] | undefined {
  const entries = disk.list(dir)
  if (!entries) return undefined
  const fold = (text: string) => (options.anyName ? text.toLowerCase() : text)
  const pattern = fold(part.replace(/\[.*/s, '*'))
  const hidden = part.startsWith('.') || options.anyName
  const names = [...entries.map((entry) => entry.name), ...(part.startsWith('.') ? ['.', '..'] : [])]
  return names.filter((name) => (hidden || !name.startsWith('.')) && matchWildcard(pattern, fold(name)))
}
