// The sandbox of a session, as tools that run commands see it.
import type {
  CommandOutcome,
  ProcessCommand,
  SandboxReport,
  SandboxRequest,
} from '../process/process-command.ts'

/** The state of a session's sandbox. `active` is true if commands that need a sandbox get one. */
export interface SandboxState {
  active: boolean
  /**
   * Returns why the sandbox is missing and how the user can help. Returns undefined if the session has a
   * sandbox, if the user turned it off, and after the first call of `notice`.
   */
  notice(): string | undefined
  /**
   * Searches directories for secrets, protected paths and closed paths. Returns false if they are too large
   * for a complete search.
   */
  searchesAll?(folders: readonly string[], closed?: SandboxRequest['closed']): Promise<boolean>
  /**
   * Records the files in the directories of `sandbox`. The returned function returns the changes since then.
   * Exists only without a sandbox.
   */
  record?(sandbox: SandboxRequest): Promise<() => SandboxReport['changes']>
  /**
   * Runs a command on a terminal of the connected editor. Resolves to undefined without starting the command
   * if the editor has no terminal. Exists only without a sandbox, if the editor offers terminals.
   */
  runHosted?(call: string, command: ProcessCommand): Promise<CommandOutcome | undefined>
}
