// The content of a patch, independent of the format in which the patch is written.
import { FailureError } from '../base/errors.ts'

export type PatchKind = 'modify' | 'create' | 'delete' | 'rename' | 'copy'

/** A patch's change of one file. */
export interface FilePatch {
  kind: PatchKind
  /**
   * Path of the file after the patch, or of the removed file. It is written as in the patch, without
   * `a/` or `b/`.
   */
  path: string
  /** Path of the file that is renamed or copied. */
  from?: string
  /** Executable bit of the file, if the patch sets it. */
  executable?: boolean
  hunks: Hunk[]
  /**
   * True if the format removes files without showing their content, so that the content cannot be compared.
   */
  blind: boolean
}

export interface Hunk {
  /** Number of the hunk within its file, from 1. */
  number: number
  /** Header as written, for messages. */
  header: string
  /**
   * First line in the old file, from 1; for a hunk that only adds lines, the line before which they are
   * added. Undefined if the header does not contain it.
   */
  start?: number
  /** Lines that precede the hunk in the file at any distance, outermost first. */
  anchors: string[]
  /** Whether the hunk ends at the end of the file. */
  atEnd: boolean
  lines: HunkLine[]
}

export interface HunkLine {
  op: ' ' | '-' | '+'
  /** Line with its line end; without one if the patch states that the file has none there. */
  text: string
}

/** Returns the error for an invalid patch; `line` counts from 1 in the input. */
export function badPatch(message: string, line?: number, hint?: string): FailureError {
  return new FailureError({
    code: 'bad_patch',
    message:
      line === undefined ? `the patch cannot be read: ${message}` : `line ${line} of the patch: ${message}`,
    hint,
    detail: line === undefined ? undefined : { line },
  })
}

/** Hint for a line within a hunk that begins with another character than a space, `+` or `-`. */
export const strayLineHint = 'Inside a hunk every line begins with a blank, + or -.'
