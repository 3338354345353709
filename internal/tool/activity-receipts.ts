// What an agent really did, as its calls recorded it.

/** Nothing in here is the model's claim. */
export interface ActivityReceipts {
  read: string[]
  /** Files and directories that a search went through. */
  searched?: string[] | undefined
  changed: string[]
  /** Those that agents read as instructions, or that programs obey later. */
  obeyed?: string[] | undefined
  commands: CommandReceipt[]
}

interface CommandReceipt {
  command: string
  exit: number | null
  /** Exit codes of its last pipe in which a command failed. */
  pipe?: number[] | undefined
  /** Exit codes of each such pipe, where there are several. */
  pipes?: number[][] | undefined
}
