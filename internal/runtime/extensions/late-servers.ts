// MCP servers that were still starting when the thread sent a request. Messages announce them later, and the
// model finds their tools with tool_search, because a new tool list would invalidate the provider's cache.
import type { McpMember } from '../../mcp/server-member.ts'
import type { ToolDescription } from '../../tool/catalog.ts'
import { searchName } from '../../tool/deferred-call.ts'
import { prefixOf } from './starting-servers.ts'

export interface LateServers {
  /**
   * Names of servers that a message to the model has announced as starting, and not yet as ready or failed.
   */
  starting: Set<string>
  /**
   * Names of all servers that were starting at some request. The model finds their tools
   * only with tool_search.
   */
  all: Set<string>
}

/** Messages about the start of servers, for the model and for the user. */
export interface StartNews {
  model: string[]
  user: string[]
}

type NamedTool = Pick<ToolDescription, 'name' | 'origin'>

/** Largest number of tools that a message about a started server lists. */
const maxNamed = 30

/**
 * Largest number of resources in a list for the model, in the system prompt or in a message about a server.
 * Of other resources, the model learns only if the user mentions them.
 */
export const maxListedResources = 20

export const isOfLateServer = (late: LateServers, { origin }: NamedTool): boolean =>
  origin.startsWith('mcp ') && late.all.has(origin.slice('mcp '.length))

/**
 * Returns messages about servers that began to start, became ready or failed since the last call, and updates
 * `late`. `canSearch`: the model has tool_search. `tools` are the tools that the model may use.
 */
export function reportStarts(
  late: LateServers,
  starting: readonly McpMember[],
  find: (name: string) => McpMember | undefined,
  { canSearch, tools }: { canSearch: boolean; tools: () => readonly NamedTool[] },
): StartNews {
  const news: StartNews = { model: [], user: [] }
  const names = new Set(starting.map(({ server }) => server.name))
  for (const name of late.starting) {
    if (names.has(name)) continue
    late.starting.delete(name)
    const member = find(name)
    const fault = faultOf(member)
    if (fault !== undefined) news.user.push(`MCP server ${name}: ${fault}`)
    news.model.push(
      fault === undefined
        ? describeReady(name, member, tools(), canSearch)
        : `The MCP server ${name} did not start: ${fault}`,
    )
  }
  for (const member of starting) {
    const { name } = member.server
    if (late.starting.has(name)) continue
    late.starting.add(name)
    late.all.add(name)
    news.user.push(`MCP server ${name} is starting; its tools can be used once it is ready`)
    news.model.push(`The MCP server ${name} is starting. ${describeWait(member, canSearch)}`)
  }
  return news
}

export const faultOf = (member: McpMember | undefined): string | undefined =>
  member?.standing.launch ?? member?.fault

const describeWait = (member: McpMember, canSearch: boolean) =>
  canSearch
    ? `To use its tools, call ${searchName} {"name": "${prefixOf(member)}*"}, which waits for the server.`
    : `Its tools are named ${prefixOf(member)}* and are added when it is ready.`

function describeReady(
  name: string,
  member: McpMember | undefined,
  tools: readonly NamedTool[],
  canSearch: boolean,
) {
  const ready = `The MCP server ${name} is ready.`
  const names = tools.filter(({ origin }) => origin === `mcp ${name}`).map((one) => one.name)
  const resources = (member ? listServerResources(member) : []).slice(0, maxListedResources)
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : ''
  const list = `${names.slice(0, maxNamed).join(', ')}${more}`
  const how = canSearch ? `${searchName} shows and calls its tools: ${list}` : `Its tools: ${list}`
  return [
    names.length === 0 ? `${ready} It has no tools that you can use.` : `${ready} ${how}`,
    ...(resources.length > 0 ? [`Its resources, which read takes as a path: ${resources.join('; ')}`] : []),
  ].join('. ')
}

/**
 * Returns the resources of a server as mentions (`@server:uri`), each with its name; empty if the server has
 * not listed any.
 */
export const listServerResources = ({ server, listing }: McpMember): string[] =>
  (listing?.resources ?? []).map(({ uri, name }) => `@${server.name}:${uri} ${name}`)
