// Application of a proposal's edits to a worktree, and to no file outside of it.

import { lstatSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { readSmall } from '../../base/files/open-file.ts'
import { countNoun } from '../../base/text/count-noun.ts'
import type { ProposedEdit } from './proposal.ts'

/**
 * Applies the edits in order. Returns the reason if one does not fit, when those before it are already
 * applied; undefined if all of them were applied.
 */
export function applyProposedEdits(dir: string, edits: readonly ProposedEdit[]): string | undefined {
  for (const edit of edits) {
    const wrong = applyOne(dir, edit)
    if (wrong !== undefined) return `${edit.file}: ${wrong}`
  }
  return undefined
}

function applyOne(dir: string, edit: ProposedEdit): string | undefined {
  const path = resolveInside(dir, edit.file)
  if (path === undefined) return 'is outside of the worktree'
  if ('remove' in edit) {
    rmSync(path, { force: true })
    return undefined
  }
  if ('text' in edit) {
    makeDirectory(dirname(path))
    writeFileSync(path, edit.text)
    return undefined
  }
  const parts = readSmall(path, 16 << 20)?.split(edit.from)
  if (parts === undefined) return 'is not there'
  if (parts.length !== 2) return `the text to replace occurs ${countNoun(parts.length - 1, 'time')}`
  writeFileSync(path, parts.join(edit.to))
  return undefined
}

/**
 * Returns the absolute path of `file`. Returns undefined if it is outside of `dir`, or if it or a directory
 * above it is a link, because writes must not follow links.
 */
function resolveInside(dir: string, file: string): string | undefined {
  const root = realpathSync(dir)
  const path = join(root, file)
  if (!path.startsWith(root + sep)) return undefined
  for (let at = path; at !== root; at = dirname(at)) {
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined
  }
  return path
}
