// Application of a proposal's edits to a worktree, and to no file outside of it.

import { isUtf8 } from 'node:buffer'
import { lstatSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { codeOf, FailureError, UserError } from '../../base/errors.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { readSmallBytes } from '../../base/files/open-file.ts'
import { countNoun } from '../../base/text/count-noun.ts'
import { encodeText, hasBom } from '../../base/text/text-encoding.ts'
import { applyEdits } from '../../patch/text-edits.ts'
import type { ProposedEdit } from './proposal.ts'

/** Reasons for errors of the system that come from the named file and the files of the tree. */
const misfits: Readonly<Record<string, string>> = {
  EISDIR: 'is a directory',
  ERR_FS_EISDIR: 'is a directory',
  ENOTDIR: 'is below a path that is not a directory',
  ENAMETOOLONG: 'has a longer name than the system allows',
  ERR_INVALID_ARG_VALUE: 'is not the name of a file',
}

/**
 * Applies the edits in order. Returns the reason if one does not fit, when those before it are already
 * applied; undefined if all of them were applied. Throws the system error of a problem that every candidate
 * would have, such as a full disk.
 */
export function applyProposedEdits(dir: string, edits: readonly ProposedEdit[]): string | undefined {
  for (const edit of edits) {
    const wrong = attemptEdit(dir, edit)
    if (wrong !== undefined) return `${edit.file}: ${wrong}`
  }
  return undefined
}

function attemptEdit(dir: string, edit: ProposedEdit): string | undefined {
  try {
    return applyOne(dir, edit)
  } catch (error) {
    // The message begins with the path of the file, which the caller names.
    if (error instanceof UserError) return error.message.replace(`${join(realpathSync(dir), edit.file)} `, '')
    const misfit = misfits[codeOf(error) ?? '']
    if (misfit === undefined) throw error
    return misfit
  }
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
  const bytes = readSmallBytes(path, 16 << 20)
  if (bytes === undefined) return 'is not there'
  if (!isUtf8(bytes)) return 'is not UTF-8 text'
  const bom = hasBom(bytes)
  const text = bytes.toString('utf8', bom ? 3 : 0)
  const replacement = { name: 'edit', old: edit.from, new: edit.to, occurrence: 0 }
  try {
    writeFileSync(path, encodeText(applyEdits(text, [replacement]).text, bom))
    return undefined
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    return explainMisfit(error)
  }
}

/** Returns why a replacement does not fit its file; undefined if it only changes nothing. */
function explainMisfit({ failure: { code, detail } }: FailureError): string | undefined {
  if (code === 'no_change') return undefined
  if (code === 'bad_args') return 'the text to replace is empty'
  const { lines = [] } = (detail ?? {}) as { lines?: readonly number[] }
  return `the text to replace occurs ${countNoun(lines.length, 'time')}`
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
