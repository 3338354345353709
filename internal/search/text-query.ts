// What is asked of a search through contents, and what comes back, whichever engine does it.
import type { ByteName } from '../base/text/byte-name.ts'
import type { ShownHits } from './hit-buffer.ts'
import type { SearchEnd } from './search-end.ts'

export interface TextQuery {
  /** A line matches when any of them does. */
  patterns: readonly string[]
  regex: boolean
  caseSensitive: boolean
  word: boolean
  /** Matching lines kept per file. */
  max: number
  context: number
  /** Lines before and after a match, where they are not the same number. */
  contextLines?: { before: number; after: number }
  /** A match may go over several lines, and a dot matches their ends. */
  multiline?: boolean
  /** A kind of file that ripgrep knows, such as `ts`. */
  type?: string
  /**
   * Literal patterns only: the bytes that follow a match within a long line are part of the match, so that a
   * line of any length has few matches. ripgrep keeps all matches of a line in memory.
   */
  sparse?: boolean
  /** Count to the end in the files that have more than `max`. */
  exact?: boolean
  /** Bytes kept of everything, as grep would print it. */
  room: number
}

export interface TextSearchResult extends ShownHits {
  engine: 'ripgrep' | 'grep'
  /**
   * Files with more matching lines than `max`, with how many they have; undefined when not counted to the
   * end.
   */
  capped: { name: ByteName; total: number | undefined }[]
  skipped: number
  unreadable: number
  /** Files with a match that are left out because they are hidden; absent where they were not looked into. */
  hidden?: ByteName[]
  /** The one file that was named turned out to be binary. */
  binary: boolean
  ended: SearchEnd
  /** Files with a match that are not UTF-8 and have no mark, with how they were read. */
  encodings?: { name: ByteName; encoding: string; guessed?: true }[]
  /** Files that are not UTF-8 beyond as many as one search detects; they are searched as UTF-8 alone. */
  undetected?: { first: ByteName; count: number }
}

/** How many lines are shown before and after a match. */
export const contextLinesOf = ({ context, contextLines }: Pick<TextQuery, 'context' | 'contextLines'>) =>
  contextLines ?? { before: context, after: context }
