// Query and result of a content search, independent of the engine.
import type { ByteName } from '../base/text/byte-name.ts'
import type { ShownHits } from './hit-buffer.ts'
import type { SearchEnd } from './ripgrep/ripgrep.ts'

export interface TextQuery {
  /** Patterns; a line matches if any of them does. */
  patterns: readonly string[]
  regex: boolean
  caseSensitive: boolean
  word: boolean
  /** Largest number of matching lines that are stored per file. */
  max: number
  context: number
  /** Lines before and after a match, if these two numbers are not both `context`. */
  contextLines?: { before: number; after: number }
  /** True if a match may span lines and a dot also matches the end of a line. */
  multiline?: boolean
  /** A file type of ripgrep, such as `ts`. */
  type?: string
  /**
   * True if a match also includes the bytes after it in a long line. Then the line has few matches, which
   * saves memory in ripgrep. Only for literal patterns.
   */
  sparse?: boolean
  /** True if a second search counts all matching lines of shown files that have more than `max`. */
  exact?: boolean
  /** Largest number of bytes of matches that are stored, in the form in which grep prints them. */
  room: number
}

export interface TextSearchResult extends ShownHits {
  engine: 'ripgrep' | 'grep'
  /**
   * Shown files with more matching lines than `max`, with the number of these lines; undefined if not
   * all were counted.
   */
  capped: { name: ByteName; total: number | undefined }[]
  skipped: number
  unreadable: number
  /**
   * Hidden files with a match, whose lines are not shown. Empty also if hidden files were not searched;
   * undefined if grep searched.
   */
  hidden?: ByteName[]
  /**
   * True if ripgrep stopped in a binary file, either the only file of the search or one with a match before
   * its first NUL byte. Always false for grep.
   */
  binary: boolean
  ended: SearchEnd
  /**
   * Files with a match that are neither UTF-8 nor marked by a byte order mark, with the encoding in which
   * they were searched.
   */
  encodings?: { name: ByteName; encoding: string; guessed?: true }[]
  /**
   * Files that are not UTF-8 and exceed the limit of detections, so that they were searched only as UTF-8:
   * the name of the first one, and their number.
   */
  undetected?: { first: ByteName; count: number }
}

/** Returns how many lines are shown before and after a match. */
export const contextLinesOf = ({ context, contextLines }: Pick<TextQuery, 'context' | 'contextLines'>) =>
  contextLines ?? { before: context, after: context }
