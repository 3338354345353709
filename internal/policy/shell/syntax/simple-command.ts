// A simple command as read from a line, before anything about its program is looked up.

export interface ShellWord {
  /** The text after quote removal. Text that is only known at run time keeps its written form. */
  text: string
  /** False if expansions, substitutions or braces decide the word. */
  known: boolean
  /** True if the shell replaces the word by the names of matching files. */
  glob: boolean
}

export interface ShellAssignment {
  name: string
  value: ShellWord
}

export interface SimpleCommand {
  /** The words; empty for a bare assignment or redirection. */
  words: readonly ShellWord[]
  /** Variables that are set for the command, or for the shell if the command has no words. */
  sets: readonly ShellAssignment[]
  writes: readonly ShellWord[]
  reads: readonly ShellWord[]
  /** The text that the command reads from standard input, if the line contains that text. */
  stdin: string | undefined
  /** Reason why only a rule for the exact line can allow a command that is written this way. */
  odd: string | undefined
  /** True if the words of the command may run commands that the line does not show. */
  unseen: boolean
}

/** The result of reading one script: its commands, and why they may be incomplete. */
export interface ScriptReading {
  commands: readonly SimpleCommand[]
  /** Shell text inside the script that has to be read as a separate script. */
  scripts: readonly string[]
  doubt: string | undefined
}

/** Returns a word without special meaning. */
export const plainWord = (text: string): ShellWord => ({ text, known: true, glob: false })

/** Returns a command that consists only of these words. */
export function simpleCommand(words: readonly ShellWord[]): SimpleCommand {
  return { words, sets: [], writes: [], reads: [], stdin: undefined, odd: undefined, unseen: false }
}
