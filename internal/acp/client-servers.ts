// Conversion of the MCP servers in an editor's request to the form of the program.
import type { McpServer } from '@agentclientprotocol/sdk/unstable'
import type { ClientServer } from './acp-backend.ts'

/** Returns the servers of a request. A server over the older transport SSE is skipped with a note. */
export function readClientServers(servers: readonly McpServer[] | undefined): {
  servers: ClientServer[]
  notes: string[]
} {
  const read: ClientServer[] = []
  const notes: string[] = []
  for (const server of servers ?? []) {
    if (!('type' in server)) {
      const { name, command, args } = server
      read.push({ kind: 'stdio', name, command, args, env: valuesByName(server.env) })
    } else if (server.type === 'http') {
      const { name, url } = server
      read.push({ kind: 'http', name, url, headers: valuesByName(server.headers) })
    } else notes.push(`MCP server ${server.name}: SSE is not spoken here, only streamable HTTP`)
  }
  return { servers: read, notes }
}

const valuesByName = (all: readonly { name: string; value: string }[]) =>
  Object.fromEntries(all.map(({ name, value }) => [name, value]))
