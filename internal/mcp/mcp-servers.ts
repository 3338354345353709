// All MCP servers of a session and the tools that they offer; each server starts when it is first needed.
import { FailureError, messageOf, UserError } from '../base/errors.ts'
import { findNearest } from '../base/text/name-suggestion.ts'
import type { ShowStart } from '../process/process-command.ts'
import type { Tool } from '../tool/tool.ts'
import { type DeclaredServer, type McpServerContext, serverOf, slugOf } from './config/server-config.ts'
import { admitsTool, isAlwaysLoaded, toolName } from './config/tool-names.ts'
import type { McpSessionOptions } from './connection/mcp-session.ts'
import { toolOf } from './mcp-tool.ts'
import { type McpMember, memberOf, refuseServer } from './server-member.ts'

/** A server's tool in the form in which the tool registry takes it. */
export interface OfferedTool {
  tool: Tool
  schema: Record<string, unknown>
  /** Where the tool comes from: `mcp <server>`. */
  origin: string
  /** True if the model gets the description of the tool only after a search for tools. */
  onDemand: boolean
  /** Reason why the tool may not be used, or undefined. */
  hidden: string | undefined
}

export interface McpServers {
  readonly members: readonly McpMember[]
  /** Returns the tools of all servers; the array stays the same object until a server or its tools change. */
  tools(): readonly OfferedTool[]
  /** Returns lines with the reasons for unusable servers and tools, and about descriptions that are cut. */
  notes(): string[]
  /**
   * Adds servers, except disabled and invalid ones. If two servers have the same name within the names of
   * tools, the second one is invalid.
   */
  add(declared: readonly DeclaredServer[]): void
  /**
   * Requests, in parallel, the tools, prompts and resources of the servers whose list is due and that
   * `isWanted` selects (default: all). `show` may display the name of each server while its request runs.
   * Each server has a separate time limit.
   */
  list(signal: AbortSignal, show?: ShowStart, isWanted?: (member: McpMember) => boolean): Promise<void>
  /**
   * Returns the server with this name, as configured or as in the names of its tools. Throws UserError with
   * the most similar names for an unknown one.
   */
  find(name: string): McpMember
  close(): Promise<void>
}

export function openMcpServers(
  declared: readonly DeclaredServer[],
  context: McpServerContext,
  sessionOptions: McpSessionOptions,
): McpServers {
  const members: McpMember[] = []
  const pathBySlug = new Map<string, string>()
  const faults: string[] = []
  let cachedOffer: { tools: OfferedTool[]; notes: string[] } | undefined
  const changed = () => {
    cachedOffer = undefined
  }
  const add = (more: readonly DeclaredServer[]) => {
    for (const one of more) {
      try {
        const slug = slugOf(one.name)
        const path = pathBySlug.get(slug)
        if (path !== undefined) throw new UserError(`${path} has one of this name already`)
        // A disabled server keeps its name, so that rules for it do not apply to another server.
        pathBySlug.set(slug, one.path)
        if (one.settings.disabled === true) continue
        const server = serverOf(one, context)
        members.push(memberOf(server, sessionOptions, changed))
      } catch (error) {
        if (!(error instanceof UserError)) throw error
        faults.push(`MCP server ${one.name} (${one.path}): ${error.message}`)
      }
    }
    changed()
  }
  add(declared)
  const all = () => {
    cachedOffer ??= offerTools(members)
    return cachedOffer
  }
  return {
    members,
    add,
    tools: () => all().tools,
    notes: () => [...faults, ...members.flatMap(noteOf), ...all().notes],
    async list(signal, show = (_, start) => start, isWanted = () => true) {
      const due = members.filter((one) => one.isDue() && isWanted(one))
      await Promise.all(due.map((one) => show(one.server.name, one.refresh(signal))))
    },
    find(name) {
      const member = members.find(({ server }) => server.name === name || server.slug === name)
      if (member) return member
      const near = findNearest(
        name,
        members.map(({ server }) => server.name),
      )
      throw new UserError(`unknown MCP server ${name}`, {
        hint: near.length > 0 ? `nearest: ${near.join(', ')}` : 'see `anode mcp list`',
      })
    },
    async close() {
      await Promise.all(members.map((one) => one.close()))
    },
  }
}

function noteOf({ server, standing, fault }: McpMember): string[] {
  const about = (what: string) => `MCP server ${server.name}: ${what}`
  if (standing.launch !== undefined) return [about(standing.launch)]
  return fault === undefined ? [] : [about(fault)]
}

function offerTools(members: readonly McpMember[]): { tools: OfferedTool[]; notes: string[] } {
  const tools: OfferedTool[] = []
  const notes: string[] = []
  const takenNames = new Set<string>()
  for (const member of members) {
    const { server, standing, listing } = member
    const items = listing?.tools ?? []
    for (const item of items.filter(({ name }) => admitsTool(server, name))) {
      const why = () => changedReason(member, item.name)
      const use: McpMember['use'] = (doing, signal, work) =>
        member.use(doing, signal, (client) => {
          // The listing is now up to date, so the approval is checked again.
          const reason = why()
          if (reason !== undefined) throw refuseServer(server, reason)
          return work(client)
        })
      try {
        const { tool, schema, cutFrom } = toolOf(server, item, toolName(server, item.name, takenNames), use)
        if (cutFrom !== undefined)
          notes.push(
            `MCP server ${server.name}: the description of ${item.name} (${cutFrom} characters) is cut`,
          )
        const onDemand = !isAlwaysLoaded(server, item.name)
        const hidden = standing.launch ?? why()
        tools.push({ tool, schema, origin: `mcp ${server.name}`, onDemand, hidden })
      } catch (error) {
        if (!(error instanceof UserError || error instanceof FailureError)) throw error
        notes.push(`MCP server ${server.name}: its tool ${item.name} is left out: ${messageOf(error)}`)
      }
    }
    const changed = items.filter(({ name }) => standing.changed.has(name)).map(({ name }) => name)
    if (changed.length > 0) {
      notes.push(
        `MCP server ${server.name}: ${changed.join(', ')} not as approved: ${approvalHint(server, false)}`,
      )
    }
  }
  return { tools, notes }
}

function changedReason({ server, standing, listing }: McpMember, tool: string): string | undefined {
  if (!listing?.tools.some(({ name }) => name === tool)) return `it no longer has the tool ${tool}`
  return standing.changed.has(tool)
    ? `${tool} is new or has changed since the server was approved: ${approvalHint(server, true)}`
    : undefined
}

/**
 * Returns what the user can do about a missing approval; with `isWhole`, also how to approve. A server of a
 * client has no configuration to check, so for it only another name helps.
 */
function approvalHint({ name, origin }: McpMember['server'], isWhole: boolean): string {
  if (origin === 'client') return 'under another name the client can give it anew'
  const see = `see \`anode mcp show ${name}\``
  return isWhole ? `${see}, then \`anode mcp approve ${name}\`` : see
}
