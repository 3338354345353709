// Sessions for an editor over ACP (Agent Client Protocol), each in the workspace that the editor names.
import { statSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { AcpBackend, ClientServer, SessionPlace } from '../../acp/acp-backend.ts'
import { serveAcpOverStdio } from '../../acp/stdio-service.ts'
import { dataDir } from '../../base/dirs.ts'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { codeOf, UserError } from '../../base/errors.ts'
import type { DeclaredServer } from '../../mcp/config/server-config.ts'
import { findOtherDriver } from '../../runtime/run/run-thread.ts'
import { withDataStore } from '../../runtime/workspace/data-store.ts'
import {
  loadWorkspaceProfiles,
  readWorkspaceContext,
  type WorkspaceContext,
} from '../../runtime/workspace/workspace.ts'
import type { SessionWishes } from '../../session/client.ts'
import { readOffers } from '../../session/permission-offers.ts'
import type { PendingPermission } from '../../session/snapshot.ts'
import { approvalText } from '../../tui/approval/approval-text.ts'
import { readModelOverview } from '../models/model-overview.ts'
import { openLocalService } from '../session/local-service.ts'

interface AcpServiceOptions {
  cwd: string
  env: EnvironmentVariables
  /** Settings of new sessions. A resumed session takes only the mode from them. */
  wishes: SessionWishes
  addDirs: readonly string[]
  /**
   * Program file of Anode and its first arguments, with which commands such as `anode study` start. Default:
   * such commands cannot run.
   */
  program?: readonly string[]
  signal: AbortSignal
}

/**
 * Serves the editor until it disconnects or the signal aborts. Throws UserError for a configuration that
 * cannot be used, and for an added directory that is missing or is not a directory.
 */
export async function serveAcpToEditor(
  options: AcpServiceOptions,
  streams: { input: Readable; output: Writable },
): Promise<void> {
  const addDirs = options.addDirs.map((dir) => resolve(options.cwd, dir))
  addDirs.forEach(requireFolder)
  await readWorkspaceContext(options.cwd, options.env)
  await serveAcpOverStdio(createAcpBackend({ ...options, addDirs }), { ...streams, signal: options.signal })
}

export function createAcpBackend({ cwd, env, wishes, addDirs, program }: AcpServiceOptions): AcpBackend {
  return {
    version: process.env.ANODE_VERSION ?? '0',
    async findWorkspace(directory) {
      requireFolder(directory)
      return (await readWorkspaceContext(directory, env)).workspace
    },
    findThreadWorkspace: (thread) => withDataStore(env, ({ threads }) => threads.get(thread)?.workspace),
    async deleteThread(thread) {
      const driven = await findOtherDriver(dataDir(env), thread)
      if (driven) throw driven
      return withDataStore(env, ({ threads }) => {
        const isStored = Boolean(threads.get(thread))
        if (isStored) threads.delete(thread)
        return isStored
      })
    },
    findModelObstacle: async () => describeModelObstacle(await readWorkspaceContext(cwd, env), wishes.model),
    async openSession(source, place) {
      for (const path of [place.cwd, ...place.addDirs]) requireFolder(path)
      const notes: string[] = []
      const service = await openLocalService({
        cwd: place.cwd,
        env,
        addDirs: [...addDirs, ...place.addDirs],
        editor: place.editor,
        commandHost: place.commandHost,
        program,
        servers: declareServers(place),
        note: (text) => notes.push(text),
      })
      try {
        const context = await readWorkspaceContext(place.cwd, env)
        // a resumed thread keeps its last settings, except for the mode
        const { mode } = wishes
        const settings = source.kind === 'new' ? wishes : { mode }
        const client = await service.openSession(source, settings)
        const profiles = (await loadWorkspaceProfiles(context)).all.map(({ name, about }) => ({
          name,
          about,
        }))
        return { client, service, workspace: context.workspace, profiles, notes }
      } catch (error) {
        await service.close()
        throw error
      }
    },
    async listSessions(folder = cwd) {
      requireFolder(folder)
      const { workspace } = await readWorkspaceContext(folder, env)
      const service = await openLocalService({ cwd: folder, env, addDirs: [], note: () => undefined })
      try {
        return { workspace, threads: await service.listThreads({ limit: 200 }) }
      } finally {
        await service.close()
      }
    },
    describeApproval,
  }
}

/**
 * Returns the reason why the default model cannot be used; undefined if it can. A model that a flag sets is
 * not checked. Sends no request, so a rejected key is found only with the first prompt.
 */
function describeModelObstacle(context: WorkspaceContext, model: string | undefined): string | undefined {
  if (model !== undefined) return undefined
  const { chosen: chosenModel, problem } = readModelOverview(context)
  if (problem !== undefined) return problem
  return chosenModel ? undefined : 'no model is set up: run `anode login PROVIDER` in a terminal'
}

function requireFolder(path: string): void {
  if (!isAbsolute(path))
    throw new UserError(`${path} is not an absolute path`, { hint: 'The editor has to name a whole path.' })
  let isFolder = false
  try {
    isFolder = statSync(path).isDirectory()
  } catch (error) {
    // any error of the file system means that the directory cannot be used
    if (codeOf(error) === undefined) throw error
  }
  if (!isFolder)
    throw new UserError(`${path} is not a folder of this machine`, { hint: 'Name one that is there.' })
}

/**
 * Returns the MCP servers that the editor passes. They have the rights of the user's servers, but approvals
 * and logins are stored under another name.
 */
function declareServers({ cwd, servers }: SessionPlace): DeclaredServer[] {
  return servers.map((server) => ({
    name: server.name,
    origin: 'client',
    path: join(cwd, '(from the editor)'),
    settings: settingsOf(server),
  }))
}

const settingsOf = (server: ClientServer): DeclaredServer['settings'] =>
  server.kind === 'http'
    ? { type: 'http', url: server.url, headers: server.headers }
    : { command: server.command, args: server.args, env: server.env }

function describeApproval(permission: PendingPermission): string {
  const { tool, origin = 'native', child, args = {}, cwd = '', reasons, parts } = permission
  const offers = readOffers(permission)
  const always = offers.length > 0 ? offers : undefined
  return approvalText({ tool, origin, child, args, cwd, reasons, parts, always }, permission.preview)
}
