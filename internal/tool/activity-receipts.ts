// The actions of an agent, as its tool calls recorded them.

/** Actions of an agent that were recorded, and no claims of the model about its actions. */
export interface ActivityReceipts {
  read: string[]
  /** Files and directories that a search went through. */
  searched?: string[] | undefined
  changed: string[]
  /** Changed files that agents read as instructions, or that programs run or read as settings later. */
  obeyed?: string[] | undefined
  commands: CommandReceipt[]
}

interface CommandReceipt {
  command: string
  exit: number | null
  /** Exit codes of all commands of the last pipe in which one failed; undefined without such a pipe. */
  pipe?: number[] | undefined
  /**
   * Exit codes of the commands of the last pipes, at most eight, in which one failed. Set for two or
   * more such pipes.
   */
  pipes?: number[][] | undefined
}
