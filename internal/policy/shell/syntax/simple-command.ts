// A simple command as read from a line, before anyone asked what the program does with its words.

export interface ShellWord {
  /** After quote removal; what is only known at run time stands as it was written. */
  text: string
  /** False when expansions, substitutions or braces decide what the word is. */
  known: boolean
  /** The shell replaces it by the names of files that match. */
  glob: boolean
}

export interface ShellAssignment {
  name: string
  value: ShellWord
}

export interface SimpleCommand {
  /** Empty for a bare assignment or redirection. */
  words: readonly ShellWord[]
  /** Variables that are set for the command, or for the shell when there is no command. */
  sets: readonly ShellAssignment[]
  writes: readonly ShellWord[]
  reads: readonly ShellWord[]
  /** What it reads from standard input, where the line says so literally. */
  stdin: string | undefined
  /** Why the way it is written can only be allowed by an exact rule. */
  odd: string | undefined
  /** Words of it may run commands that the line does not spell out. */
  unseen: boolean
}

/** What a reader makes of one script: its commands, and why they may not be all of it. */
export interface ScriptReading {
  commands: readonly SimpleCommand[]
  /** Shell text inside that must be read on its own. */
  scripts: readonly string[]
  doubt: string | undefined
}

/** A word that means itself. */
export const plainWord = (text: string): ShellWord => ({ text, known: true, glob: false })

/** A command of these words and nothing else. */
export function simpleCommand(words: readonly ShellWord[]): SimpleCommand {
  return { words, sets: [], writes: [], reads: [], stdin: undefined, odd: undefined, unseen: false }
}
