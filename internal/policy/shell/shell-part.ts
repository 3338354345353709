// The result of analyzing a shell line: one entry, called a part, for each simple command that the
// line can run.

export interface ShellPart {
  /**
   * Words of the simple command without quotes, of which the first is the program. A word that is only known
   * at run time is left as written.
   */
  words: readonly string[]
  /**
   * Number of words at the beginning whose text is certain. The next word, if there is one, is a glob or is
   * only known at run time.
   */
  known: number
  /**
   * Reason why only a rule for the exact line may allow this simple command: a substitution, an option that
   * runs programs, and so on.
   */
  opaque: string | undefined
  /** True if the simple command may run commands that the line does not show. */
  unseen: boolean
  /**
   * True if `isUnknown` accepts the words, for example because the table of programs does not contain the
   * program, or because the program runs what its words name. Any of its words may then be a command.
   */
  unknown: boolean
  /** Every text of the part that may name a file or directory. */
  operands: readonly ShellOperand[]
  /** True if the part has too many texts that may name a file, so that some are missing in `operands`. */
  truncated: boolean
  /**
   * Files that redirections write to, with `~` expanded, except /dev/null, /dev/stdout and /dev/stderr;
   * undefined for a name that is only known at run time.
   */
  writes: readonly (string | undefined)[]
  /** Files that redirections of this part read from, except /dev/null. */
  reads: readonly string[]
  /** Positions in `words` of globs, which the shell replaces by file names. */
  globs: readonly number[]
  /** Commands that wrap this part, outermost first, such as `sudo` or `bash -c`. */
  via: readonly string[]
}

/**
 * A text that may name a file: a word, a value attached to an option, or a text before, between or after `=`,
 * `:`, `,` or `@`.
 */
export interface ShellOperand {
  text: string
  /** False if the text is only known at run time, because it contains expansions. */
  certain: boolean
  /** True if the shell replaces the text by the names of matching files. */
  glob: boolean
}

export interface ShellAnalysis {
  parts: readonly ShellPart[]
  /** Reason why the line, or a script inside it, is outside the supported grammar. */
  opaque: string | undefined
  /**
   * Directories that the line changes to, in order; undefined for an unknown one. `..` after a path that may
   * be a link counts as unknown: the shell and the file system disagree about its parent.
   */
  moves: readonly (string | undefined)[]
}
