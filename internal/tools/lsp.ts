// The tool lsp: one question to the language server of a file, answered with places and their source lines.
import * as z from 'zod/mini'
import { FailureError } from '../base/errors.ts'
import type { Ctx } from '../tool/ctx.ts'
import { field } from '../tool/field.ts'
import { type LspHit, type LspQuery, lspOperations } from '../tool/lsp.ts'
import type { ToolResult } from '../tool/result.ts'
import { defineTool } from '../tool/tool.ts'
import { openLineReader } from '../tool-support/line-reader.ts'
import {
  checkLspAvailable,
  reportDiagnostics,
  requireLspServers,
  shownPath,
} from '../tool-support/lsp-diagnostics.ts'
import { locateExisting } from '../tool-support/path-location.ts'
import about from './lsp.md'

const input = z.object({
  operation: field(z.enum(lspOperations), 'incomingCalls: callers; outgoingCalls: callees'),
  path: field(z.optional(z.string()), 'File to ask about'),
  line: field(z.optional(z.int().check(z.gte(0))), 'From 0'),
  character: field(z.optional(z.int().check(z.gte(0))), 'From 0'),
  query: field(z.optional(z.string()), 'Name or part of it'),
  includeDeclaration: field(z._default(z.boolean(), false), 'In findReferences'),
  limit: field(z._default(z.int().check(z.gte(1)), 200), 'Results to return', {
    cap: 1000,
  }),
})
type Args = z.output<typeof input>

/** How long `diagnostics` waits. */
const waitMs = 10_000

export const lsp = defineTool({
  name: 'lsp',
  about,
  input,
  example: { operation: 'findReferences', path: 'src/main.ts', line: 42, character: 10 },
  level: 'auto_read',
  needs: 'lsp',
  scope: ({ path }) => (path === undefined ? [] : [{ kind: 'path', path, access: 'read' }]),
  available: checkLspAvailable,
  async run(args, ctx): Promise<ToolResult> {
    const missing = missingFor(args)
    if (missing !== undefined) throw new FailureError({ code: 'bad_args', message: missing })
    const file = args.path === undefined ? undefined : locateExisting(ctx, args.path).real
    if (args.operation === 'diagnostics') return reportDiagnostics(ctx, [file ?? ''], { waitMs })
    return answer(args as Asked, file, ctx)
  },
})

type Asked = Args & { operation: LspQuery['operation'] }

function missingFor({ operation, path, line, character }: Args): string | undefined {
  if (operation === 'workspaceSymbol') return undefined
  if (path === undefined) return `${operation} needs path`
  if (operation === 'documentSymbol' || operation === 'diagnostics') return undefined
  return line === undefined || character === undefined ? `${operation} needs line and character` : undefined
}

async function answer(args: Asked, file: string | undefined, ctx: Ctx): Promise<ToolResult> {
  const { operation, line, character, limit } = args
  const lineReader = openLineReader(ctx)
  const query: LspQuery = {
    operation,
    text: args.query ?? '',
    includeDeclaration: args.includeDeclaration,
    lines: lineReader.lines,
    ...(file !== undefined && { file }),
    ...(line !== undefined && character !== undefined && { at: { line, character } }),
  }
  const { hits, servers, notes, text } = await requireLspServers(ctx).query(query, ctx.signal)
  const shown = await Promise.all(
    hits.slice(0, limit).map(async (hit) => ({
      ...hit,
      path: shownPath(hit.path, ctx),
      text: (await lineReader.line(hit.path, hit.line)) ?? null,
    })),
  )
  const data = {
    operation,
    servers,
    results: shown,
    total: hits.length,
    truncated: hits.length > limit,
    notes,
  }
  const rest =
    hits.length > limit ? [`[${hits.length - limit} more left out: raise limit (at most 1000)]`] : []
  const remarks = [...rest, ...notes.map((note) => `[${note}]`)]
  if (hits.length === 0 && !text) {
    const none = `nothing found by ${servers.join(', ')}`
    const there = query.at && file !== undefined ? await lineReader.line(file, query.at.line) : undefined
    const aim =
      there === undefined
        ? []
        : [`the line asked about holds: ${there}`, 'the character has to lie on a name in it']
    return { text: [none, ...aim, ...remarks].join('\n'), data }
  }
  if (text !== undefined) return { text, data: { ...data, hover: text } }
  return { text: [...shown.map(row), ...remarks].join('\n'), data }
}

/** `path:line:character`, then the name where there is one, then the source line where it may be shown. */
function row({
  path,
  line,
  character,
  name,
  kind,
  container,
  depth,
  text,
}: LspHit & { text: string | null }): string {
  const label = name === undefined ? '' : `${kind} ${name}${container && !depth ? ` in ${container}` : ''}`
  return [`${'  '.repeat(Math.min(depth ?? 0, 8))}${path}:${line}:${character}`, label, text ?? '']
    .filter(Boolean)
    .join('  ')
}
