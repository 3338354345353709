// The sandbox of a session, as tools that run commands see it.
import type {
  CommandOutcome,
  ProcessCommand,
  SandboxReport,
  SandboxRequest,
} from '../process/process-command.ts'

/** The state of the sandbox. `active`: commands that need a sandbox get one. */
export interface SandboxState {
  active: boolean
  /**
   * Returns why the sandbox is missing and what the user can do; undefined with a sandbox, and after
   * the first call.
   */
  notice(): string | undefined
  /**
   * Returns false if the directories are too large to search for secrets, protected paths and closed paths.
   */
  searchesAll?(folders: readonly string[], closed?: SandboxRequest['closed']): Promise<boolean>
  /**
   * Records the files in the directories of `sandbox`. Call the result after the command to get the changes.
   * Set without a sandbox.
   */
  record?(sandbox: SandboxRequest): Promise<() => SandboxReport['changes']>
  /**
   * Runs a command on a terminal of the editor. Resolves to undefined, with nothing started, if the editor
   * has none. Set without a sandbox if an editor offers terminals.
   */
  runHosted?(call: string, command: ProcessCommand): Promise<CommandOutcome | undefined>
}
