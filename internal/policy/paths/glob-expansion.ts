// What a glob on a command line may become: every name on disk that the shell could put in its place.
import { join } from 'node:path'
import { matchWildcard } from '../rules/rule-pattern.ts'
import type { DiskView } from './disk-view.ts'

/** Names that one glob may become, and folders that are looked into for it. */
const maxNames = 1_000
const maxFolders = 200

export interface ExpansionOptions {
  /** Something in the line may have told the shell that `*` matches names with a leading dot, in any case. */
  anyName: boolean
}

/**
 * The names that `word` may stand for in `dir`, rather more than the shell finds: brackets match any text.
 * Undefined when there are too many to tell or a folder cannot be listed. Without a match it is empty; the
 * shell then leaves the word as it is.
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
    // in some shells two stars reach into every folder below
    if (part.includes('**') && options.anyName) return undefined
    const next: string[] = []
    for (const name of names) {
      if (++folders > maxFolders) return undefined
      const found = matching(part, join(name.startsWith('/') ? '/' : dir, name), disk, options)
      if (!found) return undefined
      next.push(...found.map((one) => name + one + (last ? '' : '/')))
    }
    if (next.length > maxNames) return undefined
    names = next
  }
  return names
}

/**
 * Entries of a folder, `.` and `..` included, that fit one part of a glob; none where there is no such
 * folder.
 */
function matching(
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
