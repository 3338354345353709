// What the agent side of the protocol stands on: sessions of a workspace, and what can be chosen in them.
import type { CommandHost } from '../process/process-command.ts'
import type { SessionClient, SessionService, SessionSource, ThreadSummary } from '../session/client.ts'
import type { PendingPermission } from '../session/snapshot.ts'
import type { EditorFiles } from '../tool/editor-files.ts'

/** An MCP server as the editor gives it. */
export type ClientServer =
  | { kind: 'stdio'; name: string; command: string; args: readonly string[]; env: Record<string, string> }
  | { kind: 'http'; name: string; url: string; headers: Record<string, string> }

export interface SessionPlace {
  /** Absolute. */
  cwd: string
  addDirs: readonly string[]
  servers: readonly ClientServer[]
  /** Absent: the editor keeps its buffers to itself. */
  editor?: EditorFiles
  /** Absent: the editor offers no terminals. */
  commandHost?: CommandHost
}

export interface NamedChoice {
  name: string
  about: string
}

export interface OpenedEditorSession {
  client: SessionClient
  service: Pick<SessionService, 'readChoices' | 'listSkills' | 'runVerb' | 'close'>
  /** Real path. */
  workspace: string
  profiles: readonly NamedChoice[]
  /** What the person should know: ignored files, servers that are not used. */
  notes: readonly string[]
}

/** Each throws UserError for what is not there. */
export interface AcpBackend {
  readonly version: string
  /** Real path of the workspace that holds a directory. */
  findWorkspace(directory: string): Promise<string>
  /** The workspace of a stored thread; undefined: no such thread is stored. */
  findThreadWorkspace(thread: string): Promise<string | undefined>
  /** Deletes a thread for good; false: no such thread is stored. */
  deleteThread(thread: string): Promise<boolean>
  /** Why no model can be asked, in words; undefined: one can. */
  findModelObstacle(): Promise<string | undefined>
  openSession(source: SessionSource, place: SessionPlace): Promise<OpenedEditorSession>
  /** Newest first, of the workspace that holds this directory. */
  listSessions(cwd: string | undefined): Promise<{ workspace: string; threads: readonly ThreadSummary[] }>
  /** What has to be seen of a call before it is allowed, as at the terminal. */
  describeApproval(asked: PendingPermission): string
}
