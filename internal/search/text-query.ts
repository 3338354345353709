// Query and result of a content search, independent of the engine.
import type { ByteName } from '../base/text/byte-name.ts'
import type { ShownHits } from './hit-buffer.ts'
import type { SearchEnd } from './search-end.ts'

export interface TextQuery {
  /** Patterns; a line matches if any of them does. */
  patterns: readonly string[]
  regex: boolean
  caseSensitive: boolean
  word: boolean
  /** Matching lines that are stored per file. */
  max: number
  context: number
  /** Lines before and after a match, if the numbers differ. */
  contextLines?: { before: number; after: number }
  /** Whether a match may span lines, and a dot matches their ends. */
  multiline?: boolean
  /** A file type of ripgrep, such as `ts`. */
  type?: string
  /**
   * Whether a match includes the bytes that follow it within a long line, so that any line has few matches;
   * for literal patterns only. ripgrep stores all matches of a line in memory.
   */
  sparse?: boolean
  /** Whether files with more than `max` matches are counted to the end. */
  exact?: boolean
  /** Bytes that are stored in total, as grep prints them. */
  room: number
}

export interface TextSearchResult extends ShownHits {
  engine: 'ripgrep' | 'grep'
  /** Files with more matching lines than `max`, with their number; undefined if not counted to the end. */
  capped: { name: ByteName; total: number | undefined }[]
  skipped: number
  unreadable: number
  /** Files with a match that are skipped because they are hidden; undefined if they were not searched. */
  hidden?: ByteName[]
  /** Whether the one named file is binary. */
  binary: boolean
  ended: SearchEnd
  /** Files with a match that are not UTF-8 and have no mark, with the encoding that was used. */
  encodings?: { name: ByteName; encoding: string; guessed?: true }[]
  /** Files that are not UTF-8 beyond the limit of detections; they are searched as UTF-8 alone. */
  undetected?: { first: ByteName; count: number }
}

/** Returns how many lines are shown before and after a match. */
export const contextLinesOf = ({ context, contextLines }: Pick<TextQuery, 'context' | 'contextLines'>) =>
  contextLines ?? { before: context, after: context }
