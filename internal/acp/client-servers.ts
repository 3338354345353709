// MCP servers in a request of the editor, as the program takes them.
import type { McpServer } from '@agentclientprotocol/sdk/unstable'
import type { ClientServer } from './acp-backend.ts'

/** Servers over the older transport are left out, with the reason: it is not offered. */
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
