// The sandbox of a session, as tools that run commands see it.
import type { CommandOutcome, ProcessCommand, WallReport, WallRequest } from '../process/process-command.ts'

/** Whether commands that ask for a wall get one. */
export interface SandboxState {
  active: boolean
  /** Why no sandbox is there and what the user can do; undefined with a sandbox, and after the first call. */
  notice(): string | undefined
  /**
   * False where too much is in the directories to be searched for secrets, protected places and what rules
   * close.
   */
  searchesAll?(folders: readonly string[], closed?: WallRequest['closed']): Promise<boolean>
  /** Present without a sandbox: records the files in the folders of `wall`; the result compares them. */
  record?(wall: WallRequest): Promise<() => WallReport['changes']>
  /**
   * Present without a sandbox where an editor offers its terminals: as `run`, on one of them. Resolves to
   * undefined, with nothing started, if it has none after all.
   */
  runHosted?(call: string, command: ProcessCommand): Promise<CommandOutcome | undefined>
}
