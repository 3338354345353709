// The configured MCP servers for the commands about them: looked at, listed, approved, logged in to.
import { FailureError, UserError } from '../../base/errors.ts'
import { approve, printOf } from '../../mcp/approved.ts'
import { authFile } from '../../mcp/auth.ts'
import type { Member } from '../../mcp/member.ts'
import { spell } from '../../mcp/server.ts'
import { openServers, type Servers } from '../../mcp/servers.ts'
import { readApproval } from '../../trust/approval.ts'
import { capabilities } from '../capabilities.ts'
import { skillsOf, surroundings } from '../surroundings.ts'
import { wiresOf } from './foreign.ts'
import { allowsSkillServers, aroundOf, configuredServers, serversOfSkill } from './servers.ts'

export interface Where {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
}

export interface Mcp {
  servers: Servers
  data: string
  notes: readonly string[]
}

/** Starts nothing; hands the servers to `work` and ends whatever it has started. */
export async function withServers<T>(where: Where, work: (mcp: Mcp) => Promise<T>): Promise<T> {
  const around = await surroundings(where.cwd, where.env)
  const configured = await configuredServers(around)
  if (allowsSkillServers(around)) {
    const { all } = await (await skillsOf(around)).set()
    for (const skill of all) configured.servers.push(...(await serversOfSkill(skill)).servers)
  }
  const resources = capabilities(around, { terminal: undefined }, nothing)
  const wires = wiresOf(around, { spawn: resources.spawn, user: undefined })
  const servers = openServers(configured.servers, aroundOf(around), wires)
  try {
    return await work({ servers, data: around.data, notes: [...around.loaded.notes, ...configured.notes] })
  } finally {
    await servers.close()
    await resources.close()
  }
}

const nothing = {
  resources: { read: async () => Promise.reject(new UserError('no server is at hand')) },
  onSkill: async () => undefined,
}

export interface State {
  name: string
  origin: string
  path: string
  /** How it is started. */
  launch: string
  state: 'ready' | 'unknown' | 'failed' | 'changed'
  /** In words: how many tools, or what is wrong. */
  detail: string
}

/** How a server stands, from what is on disk. */
export function stateOf({ server, listing, standing, fault }: Member): State {
  const { name, origin, path } = server
  const base = { name, origin, path, launch: spell(server) }
  if (standing.launch !== undefined) return { ...base, state: 'changed', detail: standing.launch }
  if (fault !== undefined) return { ...base, state: 'failed', detail: fault }
  if (!listing) return { ...base, state: 'unknown', detail: 'not asked yet; `anode mcp tools` asks it' }
  const { tools, prompts, resources } = listing
  const all = { tool: tools, prompt: prompts, resource: resources }
  const counts = Object.entries(all)
    .filter(([what, { length }]) => length > 0 || what === 'tool')
    .map(([what, { length }]) => `${length} ${what}${length === 1 ? '' : 's'}`)
  const changed = [...standing.changed]
  if (changed.length === 0) return { ...base, state: 'ready', detail: counts.join(', ') }
  return { ...base, state: 'changed', detail: `no longer as approved: ${changed.join(', ')}` }
}

/** The tools of a server that an approval would newly accept. */
export function unapproved({ server, listing }: Member, data: string): string[] {
  const parts = readApproval(data, server.key)?.parts ?? {}
  return (listing?.tools ?? []).filter((tool) => parts[tool.name] !== printOf(tool)).map(({ name }) => name)
}

/** A person accepts the server as it is now; answers the tools that this newly covers. */
export async function approveServer(member: Member, data: string): Promise<string[]> {
  const fresh = unapproved(member, data)
  await approve(data, member.server, member.listing)
  return fresh
}

/** Logs in; `show` gets the address to open. Answers whether a login was needed. Throws UserError when it fails. */
export async function loginTo(member: Member, data: string, signal: AbortSignal, show: (url: URL) => void) {
  const { login } = await import('../../mcp/login.ts')
  try {
    const version = process.env.ANODE_VERSION ?? '0'
    return (await login(member.server, { dataDir: data, version, signal, show })).needed
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    const { message, hint } = error.failure
    throw new UserError(message, { exit: 1, ...(hint !== undefined && { hint }), cause: error })
  }
}

/** Removes what a login has left behind. */
export function logoutOf(member: Member, data: string): void {
  authFile(data, member.server.key).remove()
}
