// Types of passages, which are sections or blocks of a file with the headings and names above them.

/** A file to search, with its path in messages and its real path. */
export interface PassageFile {
  /**
   * Path in messages, with `/`: relative to the searched directory, after a prefix if the caller sets one.
   */
  path: string
  /** Absolute path without links. */
  real: string
  /** Content of the file, if it is already known. The file is then not read. */
  text?: string
}

/** Format of a file. It decides how the file is split and how much it weighs. */
export type PassageKind = 'prose' | 'config' | 'code' | 'data'

/**
 * A range of whole lines. Passages of a file do not overlap, and together they contain every line
 * that is not blank.
 */
export interface TextPassage {
  /** Number of the first line, from 1. `to` is the number of the last line, which belongs to the passage. */
  from: number
  to: number
  /**
   * Titles of the sections around the passage, outermost first, joined by ` > `, and the line or the table
   * columns that introduce it.
   */
  heading: string
  /** Names that the passage defines or sets, at most 40, separated by spaces. */
  symbol: string
}

/** Largest size of a passage in characters, for prose and data. Only a single line may be longer. */
export const maxPassageChars = 1_500
