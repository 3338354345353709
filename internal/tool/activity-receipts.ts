// The actions of an agent, as its tool calls recorded them.

/** Actions of an agent as Anode recorded them, not as the model describes them. */
export interface ActivityReceipts {
  read: string[]
  /** Files and directories that a search went through. */
  searched?: string[] | undefined
  changed: string[]
  /**
   * Changed files with an effect on later work: agents read them as instructions, or programs run them or
   * read them as settings.
   */
  obeyed?: string[] | undefined
  commands: CommandReceipt[]
}

interface CommandReceipt {
  command: string
  exit: number | null
  /**
   * Exit codes of all commands of the last pipe (commands joined by `|`) in which a command failed; undefined
   * without such a pipe.
   */
  pipe?: number[] | undefined
  /**
   * Exit codes of the commands of each pipe in which a command failed, for at most the last eight such pipes.
   * Set only if there were at least two.
   */
  pipes?: number[][] | undefined
}
