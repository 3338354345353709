// The check that no workspace is in one of Anode's own directories, except the checkouts that Anode
// has created there.
import { existsSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { EnvironmentVariables } from '../base/environment.ts'
import { UserError } from '../base/errors.ts'
import { readSmall } from '../base/files/open-file.ts'
import { anodeDirs, isWithin } from '../policy/paths/path-jail.ts'

/**
 * Throws UserError for a real path in the data, configuration or cache directory of Anode, unless it is in a
 * checkout that Anode has created there. The error begins with `lead`.
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
 * Returns true if the path is in a checkout that Anode created: the worktree of a session, a build or
 * an experiment's candidate, or a corpus (fetched texts for evaluations). `parts` lead to the path from
 * the data directory.
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

/** Returns the path in a worktree's record; undefined if the record is missing or damaged. */
function readPath(file: string): unknown {
  try {
    // The record is read without the module of records, which would load the code that writes them.
    return JSON.parse(readSmall(file) ?? 'null')?.path
  } catch {
    return undefined
  }
}
