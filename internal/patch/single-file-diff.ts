// Reader of a diff for one known file, with notes on hunks that were not applied at the position
// in their header.
import { basename } from 'node:path'
import { countNoun } from '../base/text/count-noun.ts'
import type { HunkLanding } from './hunk-application.ts'
import { badPatch, type Hunk } from './patch.ts'
import { readPatch, stripFence } from './patch-reader.ts'
import { readUnified } from './unified-diff.ts'

/**
 * Returns the hunks for `path`; file headers may be missing. Throws FailureError `bad_patch` for an invalid
 * diff, and if it is for several files or for a file of another base name, or creates, removes, renames or
 * copies a file or changes its mode.
 */
export function readOwnDiff(text: string, path: string): Hunk[] {
  const inner = stripFence(text)
  const files = /^\s*\*\*\* Begin Patch/.test(inner) ? readPatch(inner) : readUnified(inner, path)
  const [file] = files
  const other = 'Take apply_patch for patches over several files and for files that are created or removed.'
  if (!file || files.length > 1) throw badPatch(`it is for ${files.length} files`, undefined, other)
  if (file.kind !== 'modify') throw badPatch(`it is to ${file.kind} a file`, undefined, other)
  if (basename(file.path) !== basename(path))
    throw badPatch(`it is for ${file.path}, not for ${path}`, undefined, other)
  if (file.executable !== undefined) throw badPatch('it is to change the mode', undefined, other)
  return file.hunks
}

/**
 * Returns a note about where a hunk was applied; an empty text if it was applied where its header says, apart
 * from line ends.
 */
export function landingNote({ hunk, line, offset, fuzz, match }: HunkLanding): string {
  const notes = []
  if (offset !== 0) {
    const lines = countNoun(Math.abs(offset), 'line')
    notes.push(`${lines} ${offset > 0 ? 'below' : 'above'} its number`)
  }
  if (fuzz > 0) notes.push(`with fuzz ${fuzz}`)
  if (match === 'trailing_whitespace' || match === 'typography')
    notes.push(`ignoring ${match.replace('_', ' ')}`)
  return notes.length > 0 ? `hunk ${hunk} went in at line ${line}, ${notes.join(', ')}` : ''
}
