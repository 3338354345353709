// The actions of an agent, as its calls recorded them.

/** Recorded actions only, without claims of the model. */
export interface ActivityReceipts {
  read: string[]
  /** Files and directories that a search went through. */
  searched?: string[] | undefined
  changed: string[]
  /** Changed files that agents read as instructions, or that programs obey later. */
  obeyed?: string[] | undefined
  commands: CommandReceipt[]
}

interface CommandReceipt {
  command: string
  exit: number | null
  /** Exit codes of all commands of the last pipe in which one failed. */
  pipe?: number[] | undefined
  /** Exit codes of each pipe in which a command failed, if there are several. */
  pipes?: number[][] | undefined
}
