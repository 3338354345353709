// Applies a proposal's edits to a worktree, and to nothing outside of it.

import { lstatSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { readSmall } from '../../base/files/small-file.ts'
import { countNoun } from '../../base/text/count-noun.ts'
import type { ProposedEdit } from './proposal.ts'

/** Returns why the edits do not fit, or undefined when all of them were made. */
export function applyProposedEdits(dir: string, edits: readonly ProposedEdit[]): string | undefined {
  for (const edit of edits) {
    const wrong = applyOne(dir, edit)
    if (wrong !== undefined) return `${edit.file}: ${wrong}`
  }
  return undefined
}

function applyOne(dir: string, edit: ProposedEdit): string | undefined {
  const path = inside(dir, edit.file)
  if (path === undefined) return 'lies outside of the worktree'
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
 * The path, unless it lies outside of `dir` or it or a folder above it is a link: nothing is written through
 * one.
 */
function inside(dir: string, file: string): string | undefined {
  const root = realpathSync(dir)
  const path = join(root, file)
  if (!path.startsWith(root + sep)) return undefined
  for (let at = path; at !== root; at = dirname(at)) {
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined
  }
  return path
}
