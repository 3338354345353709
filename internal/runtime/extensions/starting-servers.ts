// MCP servers of a workspace that start in the background while the model works, so that the first request
// does not wait for them.
import { unlessAborted } from '../../base/time-limit.ts'
import type { McpMember } from '../../mcp/server-member.ts'
import type { ShowStart } from '../../process/process-command.ts'

type FindMember = (name: string) => McpMember | undefined

export interface StartingServers {
  /** Returns the servers that are still starting. */
  list(): readonly McpMember[]
  /** Returns the server of that name, ready or not; undefined for an unknown name. */
  find: FindMember
  /** Starts `members` and returns at once. A server that is starting already is skipped. */
  start(members: readonly McpMember[]): void
  /**
   * Resolves when the servers that `tool` can belong to are ready or have failed. Without `tool`, or if no
   * starting server can have it, waits for all. Rejects with the reason of `signal`.
   */
  wait(tool: string | undefined, signal: AbortSignal): Promise<void>
  /** Returns why a call of `tool` cannot run yet; undefined if no starting server can have the tool. */
  explain(tool: string): string | undefined
  /** Cancels the starts that have not ended. */
  close(): Promise<void>
}

export function openStartingServers(
  find: FindMember,
  show: ShowStart = (_, start) => start,
): StartingServers {
  const ending = new AbortController()
  const starts = new Map<McpMember, Promise<void>>()
  return {
    list: () => [...starts.keys()],
    find,
    start(members) {
      for (const member of members) {
        if (starts.has(member)) continue
        // `start` never rejects
        const start = show(member.server.name, member.refresh(ending.signal)).finally(() =>
          starts.delete(member),
        )
        starts.set(member, start)
      }
    },
    async wait(tool, signal) {
      const named = [...starts].filter(([member]) => tool?.startsWith(prefixOf(member)))
      const awaited = named.length > 0 ? named : [...starts]
      await unlessAborted(Promise.all(awaited.map(([, start]) => start)), signal)
    },
    explain: (tool) => explainStarting([...starts.keys()], tool),
    async close() {
      ending.abort(new Error('the session has ended'))
      await Promise.all(starts.values())
    },
  }
}

/** Returns the beginning of the names of a server's tools. */
export const prefixOf = ({ server }: McpMember): string => `mcp__${server.slug}__`

function explainStarting(starting: readonly McpMember[], tool: string): string | undefined {
  const member = starting.find((one) => tool.startsWith(prefixOf(one)))
  if (!member) return undefined
  const search = `tool_search {"name": "${prefixOf(member)}*"}`
  const { name } = member.server
  return `${tool} cannot be called yet: its MCP server ${name} is starting; ${search} waits for it`
}
