// MCP servers together with the module that describes their tools, which needs the part of zod that
// writes JSON Schema.
import { openMcpServers } from '../../mcp/mcp-servers.ts'
import { toToolEntries } from '../../tool/describe.ts'

export const describedServers = { openMcpServers, toToolEntries }
