// What a patch says, whatever format it came in.
import { FailureError } from '../base/errors.ts'

export type PatchKind = 'modify' | 'create' | 'delete' | 'rename' | 'copy'

/** What a patch does to one file. */
export interface FilePatch {
  kind: PatchKind
  /**
   * The file that is there afterwards; of a removal the one that was. As the patch writes it, without a/ or
   * b/.
   */
  path: string
  /** Source of a rename or copy. */
  from?: string
  /** The executable bit that the file is to have, where the patch says. */
  executable?: boolean
  hunks: Hunk[]
  /** True for formats in which a removal needs no content to be shown. */
  blind: boolean
}

export interface Hunk {
  /** From 1 within its file. */
  number: number
  /** Its header as written, for messages. */
  header: string
  /** Line of the old file, from 1, where the header says it begins; absent when it does not say. */
  start?: number
  /** Lines that come somewhere before it, outermost first. */
  anchors: string[]
  /** The hunk ends where the file ends. */
  atEnd: boolean
  lines: HunkLine[]
}

export interface HunkLine {
  op: ' ' | '-' | '+'
  /** With its line end; without one where the patch says that the file has none there. */
  text: string
}

/** The error for what is no patch; `line` counts from 1 in the text that was given. */
export function badPatch(message: string, line?: number, hint?: string): FailureError {
  return new FailureError({
    code: 'bad_patch',
    message:
      line === undefined ? `the patch cannot be read: ${message}` : `line ${line} of the patch: ${message}`,
    hint,
    detail: line === undefined ? undefined : { line },
  })
}

/** The hint for lines that stand where none can be. */
export const strayLineHint = 'Inside a hunk every line begins with a blank, + or -.'
