// What a passage is: a section or block of a file, with the headings and names it stands under.

/** A file to search: how it is shown, and where it is. */
export interface PassageFile {
  /** Relative to what is searched, with `/`. */
  path: string
  /** Absolute path without links. */
  real: string
  /** What it says, where that is at hand: then nothing is read. */
  text?: string
}

/** What a file is read as; decides how it is cut and how much it weighs. */
export type PassageKind = 'prose' | 'config' | 'code' | 'data'

/** A stretch of whole lines. Passages of a file do not overlap and leave out nothing but blank lines. */
export interface TextPassage {
  /** 1-based number of the first and the last line, both included. */
  from: number
  to: number
  /** Titles of the sections around it, outermost first, joined by ` > `; with the line that introduces it. */
  heading: string
  /** Names that it defines or sets, separated by spaces. */
  symbol: string
}

/** Passages are packed up to this many characters; only a single line may be longer. */
export const maxPassageChars = 1_500
