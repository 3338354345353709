// Tools in the form of MCP: name, schema, and hints that follow from the permission level of the tool.
import type { Tool, ToolAnnotations } from '@modelcontextprotocol/server'
import { isRead, type Level } from '../policy/level.ts'
import type { ListedTool } from '../tool/catalog.ts'

/** Returns the tools in MCP's form, without the hidden ones. */
export function listOfferedTools(tools: readonly ListedTool[]): Tool[] {
  return tools
    .filter(({ hidden }) => hidden === undefined)
    .map(({ name, about, schema, level }) => ({
      name,
      description: about,
      inputSchema: { ...schema, type: 'object' },
      annotations: toAnnotations(level),
    }))
}

/**
 * Permission levels of tools that can reach outside the workspace; MCP's hint for such
 * tools is `openWorldHint`.
 */
const open: readonly Level[] = ['external_read', 'delegated', 'confirm_execute']

/**
 * Returns MCP's hints for a level. They only inform the client; the permission gate decides each call
 * by its arguments.
 */
function toAnnotations(level: Level): ToolAnnotations {
  const readOnlyHint = isRead(level) || level === 'interactive'
  const destructiveHint = level === 'confirm_write' || level === 'confirm_execute' || level === 'delegated'
  return { readOnlyHint, destructiveHint, openWorldHint: open.includes(level) }
}
