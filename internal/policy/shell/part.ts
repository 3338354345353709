// What the analysis of a shell line yields: one entry per simple command that the line can run.

export interface ShellPart {
  /** Literal words after quote removal; the first is the program. */
  words: readonly string[]
  /** Why this part may only be allowed by an exact rule (wrapper, substitution, option that runs programs …). */
  opaque: string | undefined
  /** Files that redirections of this part write to; /dev/null left out. */
  writes: readonly string[]
}
