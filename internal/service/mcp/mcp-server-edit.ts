// Changes of MCP servers in configuration files: adds a server, or removes it with its login and approvals.
import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ParseError, parse } from 'jsonc-parser'
import { configDir } from '../../base/dirs.ts'
import { UserError } from '../../base/errors.ts'
import { describeJsonErrors, parseJsonc } from '../../base/text/jsonc.ts'
import { suggestNames } from '../../base/text/name-suggestion.ts'
import { isObject } from '../../base/untrusted-json.ts'
import { checkConfig } from '../../config/check-config.ts'
import { editJsonFile } from '../../config/edit.ts'
import { findServerProgram } from '../../lsp/config/program-search.ts'
import { authFile } from '../../mcp/auth/oauth-store.ts'
import {
  type DeclaredServer,
  keyOf,
  type McpServerSettings,
  serverOf,
  slugOf,
} from '../../mcp/config/server-config.ts'
import { expandVariables } from '../../mcp/config/variable-expansion.ts'
import { dropListing } from '../../mcp/server-listing.ts'
import { mcpServerContext, readConfiguredServers } from '../../runtime/extensions/configured-servers.ts'
import type { WorkspaceContext } from '../../runtime/workspace/workspace.ts'
import { revokeApproval } from '../../trust/approval.ts'

export type McpServerScope = 'user' | 'workspace'

/** Returns the file in which servers of a scope (user or workspace) are declared. */
export const findServerFile = ({ env, workspace }: WorkspaceContext, scope: McpServerScope): string =>
  scope === 'user' ? join(configDir(env), 'mcp.json') : join(workspace, '.mcp.json')

/**
 * Adds a server without starting it. Returns the path of its file, and notices for the user. Throws
 * UserError for an invalid or used name, an unusable configuration, a file with errors, and a workspace file
 * that is a link.
 */
export async function addServer(
  context: WorkspaceContext,
  scope: McpServerScope,
  name: string,
  config: McpServerSettings,
): Promise<{ path: string; notes: string[] }> {
  const path = findServerFile(context, scope)
  const declared: DeclaredServer = { name, origin: scope, path, settings: config }
  const slug = demandSlug(name)
  const there = await declaredServers(context)
  const existingServer = there.find((one) => slugOrNone(one.name) === slug)
  if (existingServer) {
    throw new UserError(`there is an MCP server ${existingServer.name} already, in ${existingServer.path}`, {
      hint: `take another name, or \`anode mcp remove ${existingServer.name}\` first`,
    })
  }
  const notes = [...checkServerConfig(declared, context), ...secretsOf(config)]
  await changeServer(path, name, config, scope)
  return { path, notes }
}

/** Returns a declared server, of `scope` if that is set. Throws UserError for an unknown name. */
export async function findDeclaredServer(
  context: WorkspaceContext,
  name: string,
  scope?: McpServerScope,
): Promise<DeclaredServer> {
  const all = (await declaredServers(context)).filter((one) => scope === undefined || one.origin === scope)
  const server = all.find((one) => one.name === name)
  if (!server) {
    const near = suggestNames(
      name,
      all.map((one) => one.name),
    )
    throw new UserError(`unknown MCP server "${name}"`, { hint: near || 'see `anode mcp list`' })
  }
  return server
}

/** Removes a server from its file, with its login and approvals. */
export async function removeServer(context: WorkspaceContext, server: DeclaredServer): Promise<void> {
  const origin = server.origin === 'user' ? 'user' : 'workspace'
  await changeServer(server.path, server.name, undefined, origin)
  const key = keyOf(server, context.workspace)
  dropListing(context.data, key)
  revokeApproval(context.data, key)
  authFile(context.data, key).remove()
}

/** Returns every declared server, including those of a workspace file that the user has not trusted. */
async function declaredServers(context: WorkspaceContext): Promise<DeclaredServer[]> {
  const { loaded } = context
  const { mcp: _, ...config } = loaded.config
  const { servers } = await readConfiguredServers({ ...context, loaded: { ...loaded, config } })
  const path = findServerFile(context, 'workspace')
  const serverPaths = new Set(servers.map((one) => one.path))
  if (serverPaths.has(path) || !existsSync(path)) return servers
  const value = (await parseJsonc(readFileSync(path, 'utf8'))) as {
    mcpServers?: Record<string, McpServerSettings>
  } | null
  const workspaceEntries = Object.entries(value?.mcpServers ?? {})
  return [
    ...servers,
    ...workspaceEntries.map(
      ([name, config]): DeclaredServer => ({ name, origin: 'workspace', path, settings: config }),
    ),
  ]
}

function demandSlug(name: string): string {
  try {
    if (/^[\w.@ -]{1,60}$/.test(name)) return slugOf(name)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
  }
  throw new UserError(`invalid server name ${JSON.stringify(name)}`, {
    hint: 'letters, digits, dots, _ and -, such as github',
  })
}

function slugOrNone(name: string): string | undefined {
  try {
    return slugOf(name)
  } catch (error) {
    // an invalid name cannot have a short form for tool names; `anode mcp list` reports the file with
    // the name separately
    if (error instanceof UserError) return undefined
    throw error
  }
}

/**
 * Throws UserError for a configuration that can never work. Returns a list with a notice if a program or
 * variable is missing now, otherwise an empty list.
 */
function checkServerConfig(declared: DeclaredServer, context: WorkspaceContext): string[] {
  const setting = mcpServerContext(context)
  const { command, args, env, url, headers } = declared.settings
  try {
    expandVariables(JSON.stringify([command, args, env, url, headers]), {
      ...context.env,
      ANODE_WORKSPACE: context.workspace,
    })
  } catch (error) {
    if (error instanceof UserError) return [`${error.message}; the server is not used until it is`]
    throw error
  }
  const { launch } = serverOf(declared, setting)
  if (launch.kind === 'http') return []
  const program = findServerProgram(launch.command, {
    workspace: launch.cwd,
    trusted: true,
    env: context.env,
  })
  return program ? [] : [`no program ${launch.command} is to be found yet`]
}

/**
 * Returns a notice for each variable or header whose name means a secret, such as a key or token, and whose
 * value is stored as plain text.
 */
function secretsOf({ env = {}, headers = {} }: McpServerSettings): string[] {
  return Object.entries({ ...env, ...headers })
    .filter(([name, value]) => /key|token|secret|password|authorization/i.test(name) && !value.includes('${'))
    .map(([name]) => `the value of ${name} is stored as plain text; \${NAME} reads it from the environment`)
}

async function changeServer(
  path: string,
  name: string,
  config: McpServerSettings | undefined,
  scope: McpServerScope,
) {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() && scope === 'workspace') {
    throw new UserError(`${path} is a link and is not written through`, { hint: 'edit the file it leads to' })
  }
  // each file follows the rules for server files; a configuration file also has to follow
  // the configuration schema
  const isConfig = !path.endsWith('mcp.json')
  await editJsonFile(path, ['mcpServers', name], config, (text, isNew) => {
    const checked = isConfig ? checkConfig(text, process.env) : undefined
    const [problem] = checked && 'problems' in checked ? checked.problems : problemsOf(text)
    if (problem === undefined || / is not set$/.test(problem)) return
    throw new UserError(`${path} ${isNew ? 'would not be valid' : 'has errors already'}: ${problem}`)
  })
}

function problemsOf(text: string): string[] {
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  if (errors.length === 0) {
    if (!isObject(value)) return ['it is not an object']
    if (!isObject(value.mcpServers ?? {})) return ['mcpServers is not an object']
  }
  return describeJsonErrors(text, errors).map(({ line, what }) => `line ${line}: ${what}`)
}
