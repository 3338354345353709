// The interface between the ACP server and the program: sessions of a workspace, and the choices in them.
import type { CommandHost } from '../process/process-command.ts'
import type { SessionClient, SessionService, SessionSource, ThreadSummary } from '../session/client.ts'
import type { PendingPermission } from '../session/snapshot.ts'
import type { EditorFiles } from '../tool/editor-files.ts'

/** An MCP server from the editor's request. */
export type ClientServer =
  | { kind: 'stdio'; name: string; command: string; args: readonly string[]; env: Record<string, string> }
  | { kind: 'http'; name: string; url: string; headers: Record<string, string> }

export interface SessionPlace {
  /** Absolute path of the session's working directory. */
  cwd: string
  addDirs: readonly string[]
  servers: readonly ClientServer[]
  /** The editor's files with their unsaved changes. Default: files are read and written on disk. */
  editor?: EditorFiles
  /** The editor's terminals, in which commands run. Default: commands run outside of the editor. */
  commandHost?: CommandHost
}

export interface NamedChoice {
  name: string
  about: string
}

export interface OpenedEditorSession {
  client: SessionClient
  service: Pick<SessionService, 'readChoices' | 'listSkills' | 'runVerb' | 'close'>
  /** Real path of the workspace. */
  workspace: string
  profiles: readonly NamedChoice[]
  /** Notices for the user: ignored files, servers that are not used. */
  notes: readonly string[]
}

/**
 * The functions of Anode that the ACP server calls. A method throws UserError for input that it cannot use,
 * such as a missing directory or an unknown thread, unless it returns a result for this case.
 */
export interface AcpBackend {
  readonly version: string
  /** Returns the real path of the workspace that contains a directory. */
  findWorkspace(directory: string): Promise<string>
  /** Returns the workspace of a stored thread, or undefined if the thread is not stored. */
  findThreadWorkspace(thread: string): Promise<string | undefined>
  /**
   * Deletes a stored thread; returns false if it is not stored. Throws UserError while another process
   * runs the thread.
   */
  deleteThread(thread: string): Promise<boolean>
  /**
   * Returns the reason why no model is set up, or undefined if one is. Sends no request, so a wrong key
   * is found later.
   */
  findModelObstacle(): Promise<string | undefined>
  openSession(source: SessionSource, place: SessionPlace): Promise<OpenedEditorSession>
  /**
   * Returns the latest 200 threads of the workspace that contains `cwd`, latest first. Without `cwd`, the
   * directory in which the program was started counts.
   */
  listSessions(cwd: string | undefined): Promise<{ workspace: string; threads: readonly ThreadSummary[] }>
  /**
   * Returns the details of a call that the user must see before approving it, as the terminal
   * screen shows them.
   */
  describeApproval(asked: PendingPermission): string
}
