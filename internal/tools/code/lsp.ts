// The tool lsp: one query to the language server of a file, answered with positions and their source lines.
import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import { countNoun } from '../../base/text/count-noun.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { field, optionalNumber } from '../../tool/field.ts'
import { type LspHit, type LspPoint, type LspQuery, lspOperations } from '../../tool/lsp.ts'
import type { ToolResult } from '../../tool/result.ts'
import { defineTool } from '../../tool/tool.ts'
import { openLineReader } from '../../tool-support/line-reader.ts'
import {
  checkLspAvailable,
  reportDiagnostics,
  requireLspServers,
  shownPath,
} from '../../tool-support/lsp-diagnostics.ts'
import { locateExisting } from '../../tool-support/path-location.ts'
import about from './lsp.md'

const input = z.object({
  operation: field(z.enum(lspOperations), 'What to ask; incomingCalls: callers, outgoingCalls: callees'),
  path: field(z.optional(z.string()), 'File to ask about'),
  line_number: field(optionalNumber(), 'Line of the name, from 1, as read shows it'),
  column: field(optionalNumber(), 'Column of any character of the name, from 1'),
  line: field(optionalNumber(0), 'Line from 0; line_number counts from 1', { offer: 'never' }),
  character: field(optionalNumber(0), 'Column from 0; column counts from 1', { offer: 'never' }),
  query: field(z.optional(z.string()), 'With workspaceSymbol: a name or a part of one'),
  includeDeclaration: field(z._default(z.boolean(), false), 'With findReferences: list the declaration too'),
  limit: field(z._default(z.int().check(z.gte(1)), 200), 'Results to return', {
    cap: 1000,
  }),
})
type LspArgs = z.output<typeof input>

/** Longest time in milliseconds that the operation `diagnostics` waits for the server. */
const waitMs = 10_000

export const lsp = defineTool({
  name: 'lsp',
  about,
  input,
  example: { operation: 'findReferences', path: 'src/main.ts', line_number: 43, column: 11 },
  level: 'auto_read',
  offer: { lsp: 'needs' },
  access: ({ path }) => ({ scope: path === undefined ? [] : [{ kind: 'path', path, access: 'read' }] }),
  available: checkLspAvailable,
  async run(args, ctx): Promise<ToolResult> {
    const missing = missingFor(args)
    if (missing !== undefined) throw new FailureError({ code: 'bad_args', message: missing })
    const file = args.path === undefined ? undefined : locateExisting(ctx, args.path).real
    if (args.operation === 'diagnostics') return reportDiagnostics(ctx, [file ?? ''], { waitMs })
    return answerQuery(args as LspRequest, file, ctx)
  },
})

type LspRequest = LspArgs & { operation: LspQuery['operation'] }

function missingFor(args: LspArgs): string | undefined {
  const { operation, path } = args
  if (operation === 'workspaceSymbol') return undefined
  if (path === undefined) return `${operation} needs path`
  if (operation === 'documentSymbol' || operation === 'diagnostics') return undefined
  const { line_number, column, line, character } = args
  if (line_number !== undefined && line !== undefined && line_number !== line + 1)
    return `\`line_number\` ${line_number} is not line ${line}, which counts from 0; omit line`
  if (column !== undefined && character !== undefined && column !== character + 1)
    return `column ${column} is not character ${character}, which counts from 0; omit character`
  return positionOf(args) === undefined ? `${operation} needs \`line_number\` and column` : undefined
}

/**
 * Returns the position of a call in the form of the language server protocol, which counts from 0; undefined
 * if line or column is missing.
 */
function positionOf({ line_number, column, line, character }: LspArgs): LspPoint | undefined {
  const row = line_number === undefined ? line : line_number - 1
  const at = column === undefined ? character : column - 1
  return row === undefined || at === undefined ? undefined : { line: row, character: at }
}

/**
 * Returns a list with one note: the position as `read` counts it, from 1. The list is empty if the call has
 * neither `line` nor `character`, which count from 0, or no complete position.
 */
function describePosition({ line, character }: LspArgs, at: LspPoint | undefined): string[] {
  if (!at || (line === undefined && character === undefined)) return []
  const place = `line ${at.line + 1}, column ${at.character + 1} of read`
  return [`[line and character count from 0: asked about ${place}]`]
}

async function answerQuery(args: LspRequest, file: string | undefined, ctx: Ctx): Promise<ToolResult> {
  const { operation, limit } = args
  const at = positionOf(args)
  const lineReader = openLineReader(ctx)
  const query: LspQuery = {
    operation,
    text: args.query ?? '',
    includeDeclaration: args.includeDeclaration,
    lines: lineReader.lines,
    file,
    at,
  }
  const { hits, servers, notes, text } = await requireLspServers(ctx).query(query, ctx.signal)
  const results = await Promise.all(
    hits.slice(0, limit).map(async (hit) => ({
      ...hit,
      path: shownPath(hit.path, ctx),
      text: (await lineReader.line(hit.path, hit.line)) ?? null,
    })),
  )
  const data = {
    operation,
    servers,
    results: results,
    total: hits.length,
    truncated: hits.length > limit,
    notes,
  }
  const rest =
    hits.length > limit
      ? [`[${countNoun(hits.length - limit, 'more result')}: raise limit (at most 1000)]`]
      : []
  const remarks = [...rest, ...describePosition(args, at), ...notes.map((note) => `[${note}]`)]
  if (hits.length === 0 && !text) {
    const none = `nothing found by ${servers.join(', ')}`
    const there = at && file !== undefined ? await lineReader.line(file, at.line) : undefined
    const aim =
      at === undefined || there === undefined
        ? []
        : [`line ${at.line + 1} is: ${there}`, `column ${at.character + 1} must be on a name in that line`]
    return { text: [none, ...aim, ...remarks].join('\n'), data }
  }
  if (text !== undefined) return { text: [text, ...remarks].join('\n'), data: { ...data, hover: text } }
  return { text: [...results.map(formatHit), ...remarks].join('\n'), data }
}

/**
 * Returns `path:line:column`, counted from 1 and indented by the depth of the hit (at most 8 levels). Its
 * kind and name follow if it has a name, with its container if the hit has no depth. The source line comes
 * last, if it may be shown.
 */
function formatHit({
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
  return [`${'  '.repeat(Math.min(depth ?? 0, 8))}${path}:${line + 1}:${character + 1}`, label, text ?? '']
    .filter(Boolean)
    .join('  ')
}
