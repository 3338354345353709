// The result of analyzing a shell line: one entry for each simple command that the line can run.

export interface ShellPart {
  /**
   * Words after quote removal. The first is the program. A word that is not `known` keeps its written form.
   */
  words: readonly string[]
  /** Number of leading words that are certain. Globs, expansions or words added at run time follow them. */
  known: number
  /**
   * Why only an exact rule may allow this part: a wrapper, a substitution, an option that runs programs,
   * and so on.
   */
  opaque: string | undefined
  /** True if the part may run commands that are not parts of its line. */
  unseen: boolean
  /**
   * True if the program is in no table, or runs what its words name. Any of its words may then be a command.
   */
  unknown: boolean
  /** Every text of the part that may name a file or directory. */
  operands: readonly ShellOperand[]
  /** True if the part has more texts that may name a file than the limit. */
  truncated: boolean
  /**
   * Files that redirections write to, with `~` expanded; undefined for a name that is only known at run time.
   */
  writes: readonly (string | undefined)[]
  /** Files that redirections of this part read. */
  reads: readonly string[]
  /** Positions in `words` of globs, which the shell replaces by file names. */
  globs: readonly number[]
  /** Commands that wrap this part, outermost first, such as `sudo` or `bash -c`. */
  via: readonly string[]
}

/**
 * A text that may name a file: a word, a value attached to an option, or a text after `=`, `:`, `,` or `@`.
 */
export interface ShellOperand {
  text: string
  /** False if expansions decide the text. */
  certain: boolean
  /** True if the shell replaces it by the names of matching files. */
  glob: boolean
}

export interface ShellAnalysis {
  parts: readonly ShellPart[]
  /** Why the line, or something inside it, is outside the supported grammar. */
  opaque: string | undefined
  /**
   * Directories that the line changes to, in order; undefined for an unknown one. `..` after a path that may
   * be a link counts as unknown: the shell and the file system disagree about its parent.
   */
  moves: readonly (string | undefined)[]
}
