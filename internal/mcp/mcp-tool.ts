// Conversion of a server's tool into a tool of Anode, with permission levels, approvals and records
// like any other.

import { UserError } from '../base/errors.ts'
import { stripControlCharacters } from '../base/text/control-chars.ts'
import type { Ctx } from '../tool/ctx.ts'
import type { ToolResult } from '../tool/result.ts'
import { defineTool, type Tool } from '../tool/tool.ts'
import { flattenSchema } from '../tool-support/foreign-schema.ts'
import { parseToolSchema } from '../tool-support/tool-schema.ts'
import { resultOf } from './call-result.ts'
import type { McpServer } from './config/server-config.ts'
import { levelOf } from './config/tool-level.ts'
import type { McpSession } from './connection/mcp-session.ts'
import type { ToolItem } from './server-listing.ts'

/**
 * Largest number of characters of a tool description, which is part of every request with the tool; a longer
 * one is cut after a sentence or a line.
 */
const maxAboutChars = 16_000
/** Largest factor by which reports of progress from the server extend the time limit of a call. */
const patience = 20

interface ServerTool {
  tool: Tool
  /**
   * Schema of the arguments that the model gets. It contains more details than the schema by which Anode
   * checks the arguments.
   */
  schema: Record<string, unknown>
  /** Number of characters of the original description if it was cut; otherwise undefined. */
  cutFrom?: number
}

/**
 * Returns the tool; `use` connects on the first call. Throws UserError for arguments of unsupported types.
 */
export function toolOf(server: McpServer, item: ToolItem, name: string, use: McpSession['use']): ServerTool {
  const { input, example, schema } = parseSchema(item.inputSchema)
  const description =
    stripControlCharacters(item.description ?? item.title ?? '') ||
    `${item.name} of the MCP server ${server.name}`
  const about = cutDescription(description)
  const { launch } = server
  const host = launch.kind === 'http' ? launch.url.hostname : undefined
  const tool = defineTool({
    name,
    about,
    input,
    example,
    level: levelOf(server, item.name, item.annotations),
    clip: { chars: 30_000, lines: 1000, keep: 'ends' },
    access: () => ({
      does: `uses a tool of the MCP server ${server.name}`,
      scope: host === undefined ? undefined : [{ kind: 'host', host }],
    }),
    run: (args, ctx) => runTool(use, server, item.name, name, args, ctx),
  })
  return { tool: tool, schema, cutFrom: about === description ? undefined : description.length }
}

/**
 * Cuts a description of more than 16,000 characters after its last sentence or line within that limit, or
 * else at the limit, and adds a note.
 */
function cutDescription(text: string): string {
  if (text.length <= maxAboutChars) return text
  const head = text.slice(0, maxAboutChars)
  const ends = [...head.matchAll(/[.!?](?=\s)|\n/g)]
  const at = ends.at(-1)?.index ?? maxAboutChars - 1
  return `${head.slice(0, at + 1).trimEnd()} [cut here, ${text.length - at - 1} more characters]`
}

/**
 * Returns the schema for the model, and the parsed schema by which arguments are checked. If a default does
 * not fit its type, arguments are checked without any defaults, so that the tool stays usable.
 */
function parseSchema(raw: unknown) {
  const schema = flattenSchema(raw)
  try {
    return { ...parseToolSchema(schema), schema }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { ...parseToolSchema(withoutDefaults(schema)), schema }
  }
}

function withoutDefaults(schema: Record<string, unknown>): Record<string, unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Record<string, unknown>>).map(
    ([name, { default: _, ...property }]) => [name, property],
  )
  return { ...schema, properties: Object.fromEntries(properties) }
}

function runTool(
  use: McpSession['use'],
  server: McpServer,
  tool: string,
  name: string,
  args: unknown,
  ctx: Ctx,
): Promise<ToolResult> {
  return use(`call ${tool}`, ctx.signal, async (client) => {
    const answer = await client.callTool(
      { name: tool, arguments: args as Record<string, unknown> },
      {
        signal: ctx.signal,
        timeout: server.callMs,
        resetTimeoutOnProgress: true,
        maxTotalTimeout: server.callMs * patience,
        onprogress: ({ progress, total, message }) => {
          const payload = {
            call: ctx.call.id,
            tool: name,
            progress,
            total,
            message,
          }
          void ctx.log.append({ type: 'tool.progress', payload })
        },
      },
    )
    return resultOf({ server: server.name, tool, signal: ctx.signal }, answer)
  })
}
