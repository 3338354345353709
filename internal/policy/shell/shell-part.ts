// What the analysis of a shell line yields: one entry per simple command that the line can run.

export interface ShellPart {
  /**
   * Words after quote removal; the first is the program. A word that is not `known` stands as it was written.
   */
  words: readonly string[]
  /**
   * How many words, from the first, are certain. After them come globs, expansions or words added at run
   * time.
   */
  known: number
  /**
   * Why this part may only be allowed by an exact rule (wrapper, substitution, option that runs programs …).
   */
  opaque: string | undefined
  /** True when the part may run commands that are not among the parts of its line. */
  unseen: boolean
  /** The program is in no table, or runs what its words name: any of its words may be a command. */
  unknown: boolean
  /** Every text of the part that may name a file or folder. */
  operands: readonly ShellOperand[]
  /** There were more such texts than are looked at. */
  truncated: boolean
  /** Files that redirections write to, `~` expanded; undefined where the name is only known at run time. */
  writes: readonly (string | undefined)[]
  /** Files that redirections of this part read. */
  reads: readonly string[]
  /** Positions in `words` of globs, which the shell replaces by file names. */
  globs: readonly number[]
  /** What stands around this part, outermost first, such as `sudo` or `bash -c`. */
  via: readonly string[]
}

/**
 * A text that may name a file: a word, or what is attached to an option, or stands behind `=`, `:`, `,` or
 * `@`.
 */
export interface ShellOperand {
  text: string
  /** False when expansions decide what it is. */
  certain: boolean
  /** The shell replaces it by the names of files that match. */
  glob: boolean
}

export interface ShellAnalysis {
  parts: readonly ShellPart[]
  /** Why the line, or something inside it, lies outside the understood grammar. */
  opaque: string | undefined
  /**
   * Directories that the line changes to, in order; undefined where that cannot be told, which is also so for
   * `..` behind anything that may be a link: the shell and the file system have different folders above it.
   */
  moves: readonly (string | undefined)[]
}
