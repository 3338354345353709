// Anode's own directories as workspaces: refused, but for the checkouts that Anode has made there.
import { existsSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { EnvironmentVariables } from '../base/environment.ts'
import { UserError } from '../base/errors.ts'
import { readSmall } from '../base/files/small-file.ts'
import { anodeDirs, isWithin } from '../policy/paths/path-jail.ts'

/**
 * Throws UserError for a real path in the data, configuration or cache directory of Anode, unless a record of
 * Anode names it as a checkout. `lead` begins the error.
 */
export function refuseOwnDirectory(real: string, env: EnvironmentVariables, lead = ''): void {
  const dirs = anodeDirs(env)
  const own = dirs.find((dir) => isWithin(real, dir))
  if (own === undefined) return
  const [, data = ''] = dirs
  if (isOwnCheckout(relative(data, real).split(sep), data)) return
  throw new UserError(`${lead}"${real}" is in ${own}, where Anode keeps its own files`, {
    hint: 'name another directory, or set ANODE_DATA_DIR',
  })
}

/**
 * `parts` lead from the data directory into a worktree that a record names, or into a fetched corpus. A path
 * outside of the data directory begins with `..`.
 */
function isOwnCheckout(parts: readonly string[], data: string): boolean {
  const [area = '', first = '.', second = '', third, fourth] = parts
  if (first.startsWith('.')) return false
  if (area === 'corpora') return true
  const place = (...names: string[]) => join(data, area, ...names)
  const record = area === 'worktrees' ? `sess_${first}` : area === 'builds' && first
  if (record) return readPath(place(`${record}.json`)) === place(first)
  return area === 'research' && third === 'wt' && !!fourth && existsSync(place(first, second, 'ledger.jsonl'))
}

/** Returns the path of a worktree's record; undefined for a record that is missing or damaged. */
function readPath(file: string): unknown {
  try {
    // read without the room of records, which loads what writes them
    return JSON.parse(readSmall(file) ?? 'null')?.path
  } catch {
    return undefined
  }
}
