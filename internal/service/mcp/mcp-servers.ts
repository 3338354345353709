// Configured MCP servers, for commands that list servers, approve them and log in to them.
import { FailureError, UserError } from '../../base/errors.ts'
import { once } from '../../base/once.ts'
import { countNoun } from '../../base/text/count-noun.ts'
import { approveMcpServer, printOf } from '../../mcp/approval.ts'
import { runOauthLogin } from '../../mcp/auth/oauth-login.ts'
import { authFile } from '../../mcp/auth/oauth-store.ts'
import { describeLaunch, describePlaces } from '../../mcp/config/server-config.ts'
import { type McpServers, openMcpServers } from '../../mcp/mcp-servers.ts'
import type { McpMember } from '../../mcp/server-member.ts'
import type { SpawnProcess } from '../../process/process-command.ts'
import {
  allowsSkillServers,
  mcpServerContext,
  readConfiguredServers,
  readSkillServers,
} from '../../runtime/extensions/configured-servers.ts'
import { mcpConnectionOptions } from '../../runtime/tools/started-servers.ts'
import { openWorkspaceSkills, readWorkspaceContext } from '../../runtime/workspace/workspace.ts'
import { readApproval } from '../../trust/approval.ts'

interface WorkspacePlace {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
}

interface McpAccess {
  servers: McpServers
  data: string
  notes: readonly string[]
}

/** Passes the servers to `work` without starting any. Ends all servers that `work` has started. */
export async function withMcpServers<T>(
  where: WorkspacePlace,
  work: (mcp: McpAccess) => Promise<T>,
): Promise<T> {
  const context = await readWorkspaceContext(where.cwd, where.env)
  const configured = await readConfiguredServers(context)
  if (allowsSkillServers(context)) {
    const { all } = await (await openWorkspaceSkills(context)).set()
    for (const skill of all) configured.servers.push(...(await readSkillServers(skill)).servers)
  }
  const closers: (() => void | Promise<void>)[] = []
  const processes = once(async () => {
    const { openProcesses } = await import('../../runtime/processes/session-processes.ts')
    return openProcesses(context, undefined, closers)
  })
  const spawn: SpawnProcess = async (command) => (await processes()).spawn(command)
  const wires = mcpConnectionOptions(context, { spawn, user: undefined })
  const servers = openMcpServers(configured.servers, mcpServerContext(context), wires)
  try {
    return await work({ servers, data: context.data, notes: [...context.loaded.notes, ...configured.notes] })
  } finally {
    await servers.close()
    for (const close of closers.reverse()) await close()
  }
}

interface McpServerState {
  name: string
  origin: string
  path: string
  /** The launch command or URL. */
  launch: string
  state: 'ready' | 'unknown' | 'failed' | 'changed'
  /** The numbers of tools, prompts and resources, or the problem. */
  detail: string
}

/** Returns the state of a server from its approval and its stored list of tools, without starting it. */
export function describeMcpServer({ server, listing, standing, fault }: McpMember): McpServerState {
  const { name, origin, path } = server
  const { places } = server
  const base = { name, origin, path, launch: describeLaunch(server) + (places ? describePlaces(places) : '') }
  if (standing.launch !== undefined) return { ...base, state: 'changed', detail: standing.launch }
  if (fault !== undefined) return { ...base, state: 'failed', detail: fault }
  const closed = places ? '; in a sandbox: no network, empty HOME' : ''
  if (!listing)
    return { ...base, state: 'unknown', detail: `not asked yet; \`anode mcp tools\` asks it${closed}` }
  const { tools, prompts, resources } = listing
  const all = { tool: tools, prompt: prompts, resource: resources }
  const counts = Object.entries(all)
    .filter(([what, { length }]) => length > 0 || what === 'tool')
    .map(([what, { length }]) => countNoun(length, what))
  const changed = [...standing.changed]
  if (changed.length === 0) return { ...base, state: 'ready', detail: `${counts.join(', ')}${closed}` }
  return { ...base, state: 'changed', detail: `no longer as approved: ${changed.join(', ')}` }
}

/**
 * Returns the names of the tools in a server's stored list that are new or have changed since its approval.
 * Without an approval, returns all of them.
 */
export function listUnapprovedTools({ server, listing }: McpMember, data: string): string[] {
  const parts = readApproval(data, server.key)?.parts ?? {}
  return (listing?.tools ?? []).filter((tool) => parts[tool.name] !== printOf(tool)).map(({ name }) => name)
}

/**
 * Approves the server in its current state for the user. Returns the names of the tools that were new
 * or had changed.
 */
export async function approveServer(member: McpMember, data: string): Promise<string[]> {
  const fresh = listUnapprovedTools(member, data)
  await approveMcpServer(data, member.server, member.listing)
  return fresh
}

/** Logs in; `show` gets the URL to open. Returns whether a login was needed. Throws UserError if it fails. */
export async function logInToServer(
  member: McpMember,
  data: string,
  signal: AbortSignal,
  show: (url: URL) => void,
) {
  try {
    const version = process.env.ANODE_VERSION ?? '0'
    return (await runOauthLogin(member.server, { dataDir: data, version, signal, show })).needed
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    const { message, hint } = error.failure
    throw new UserError(message, { exit: 1, hint, cause: error })
  }
}

/** Removes the stored login of a server. */
export function logOutOfServer(member: McpMember, data: string): void {
  authFile(data, member.server.key).remove()
}
