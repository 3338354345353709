// The tool finder: files, text, symbols and answers, ranked.
import * as z from 'zod/mini'
import { UserError } from '../base/errors.ts'
import {
  type FinderAnswer,
  type FinderQuery,
  findFiles,
  findSymbols,
  findText,
  findWords,
} from '../search/finder.ts'
import { tellingWords } from '../search/query-words.ts'
import { ripgrepPrograms } from '../search/ripgrep/ripgrep.ts'
import { formatRemarks, maxSearchMs, readGlob, searchFailure } from '../search/search-report.ts'
import { treeAt } from '../search/search-tree.ts'
import type { Ctx } from '../tool/ctx.ts'
import { field } from '../tool/field.ts'
import { failedResult, failureResult, type ToolResult } from '../tool/result.ts'
import { defineTool } from '../tool/tool.ts'
import { isFailure, locatePath } from '../tool-support/path-location.ts'
import about from './finder.md'

const modes = ['files', 'text', 'symbols', 'agent'] as const
const agentTime = 180_000

const input = z.object({
  mode: field(z._default(z.enum(modes), 'text'), 'What to look for.', {
    synonyms: { file: 'files', symbol: 'symbols' },
  }),
  query: field(z.optional(z.string()), 'Text, name or question; only files can do without.'),
  path: field(z._default(z.string(), '.'), 'Folder to search, relative to the workspace.'),
  glob: field(z.optional(z.string().check(z.minLength(1))), 'Only files that match, such as *.ts.'),
  limit: field(z._default(z.int().check(z.gte(1)), 50), 'How many results are returned.'),
  case_sensitive: field(z._default(z.boolean(), false), 'Tell upper from lower case.', { rare: true }),
})
type Args = z.output<typeof input>

export const finder = defineTool({
  name: 'finder',
  about,
  input,
  example: { mode: 'text', query: 'function createServer', glob: '*.ts' },
  level: 'auto_read',
  effect: ({ mode }) => (mode === 'agent' ? 'spawn' : 'read'),
  scope: ({ path }) => [{ kind: 'path', path, access: 'read' }],
  available: (ctx) => (ctx.can.run ? true : 'no programs can be started in this session'),
  async run(args, ctx): Promise<ToolResult> {
    const query = args.query?.trim() ?? ''
    if (query === '' && args.mode !== 'files')
      return failedResult('bad_args', `mode ${args.mode} needs a query`)
    if (query.includes('\0')) return failedResult('bad_args', 'query: a NUL byte cannot be searched for')
    const glob = args.glob === undefined ? undefined : readGlob('glob', args.glob, true)
    if (glob && isFailure(glob)) return failureResult(glob)
    const place = await locatePath(ctx, args.path, 'read')
    if (isFailure(place)) return failureResult(place)
    const tree = await treeAt(place, { hidden: false, guarded: true, glob })
    if (isFailure(tree)) return failureResult(tree)
    const means = {
      run: ctx.can.run,
      signal: ctx.signal,
      timeoutMs: maxSearchMs,
      programs: ripgrepPrograms(),
    }
    const search = { tree, query, limit: args.limit, caseSensitive: args.case_sensitive, means }

    if (args.mode === 'files') return report(args, await findFiles(search))
    if (args.mode === 'symbols') return report(args, await findSymbols(search))
    if (args.mode === 'text') return report(args, await findText(search))
    const answer = await delegate(args, query, ctx)
    return 'text' in answer ? answer : report(args, await withoutAgent(search), answer.why)
  },
  async evidence(data) {
    const { passagesOfHits } = await import('../tool-support/shown-passages.ts')
    return passagesOfHits((data as Partial<FinderAnswer> | null)?.results ?? [])
  },
})

/** The answer of a search agent, or why there is none. */
async function delegate(args: Args, query: string, ctx: Ctx): Promise<ToolResult | { why: string }> {
  if (!ctx.can.spawn) return { why: 'no agent can be started from here' }
  const within = args.path === '.' ? '' : `\nLook only below ${args.path}.`
  const only = args.glob === undefined ? '' : `\nLook only at files that match ${args.glob}.`
  const order = {
    title: `Find: ${query.slice(0, 80)}`,
    goal: `Find this in the repository: ${query}${within}${only}\nAt most ${args.limit} places.`,
    profile: 'find',
    readOnly: true,
    timeoutMs: agentTime,
  }
  try {
    const child = await ctx.can.spawn(order, ctx.signal)
    if (ctx.signal.aborted) return failedResult('cancelled', 'the search was cancelled')
    const text = child.text.trim()
    if (child.end !== 'done' || text === '') {
      return { why: `the search agent ended with ${child.end}${child.reason ? ` (${child.reason})` : ''}` }
    }
    const { thread, receipts, turns, calls, tokens } = child
    const data = {
      mode: 'agent',
      engine: 'agent',
      agent_fallback: false,
      answer: text,
      thread,
      receipts,
      turns,
      calls,
      tokens,
    }
    return { text, data }
  } catch (error) {
    if (error instanceof UserError) return { why: error.message }
    throw error
  }
}

/** A question in words is seldom in the files as it stands, so its words are searched for at once. */
function withoutAgent(search: FinderQuery): Promise<FinderAnswer> {
  const words = tellingWords(search.query)
  return words.length > 1 ? findWords(search, words) : findText(search)
}

function report(args: Args, answer: FinderAnswer, fallback?: string): ToolResult {
  const failure = searchFailure(answer.ended)
  const none = `nothing fits ${JSON.stringify(args.query ?? '')}${args.path === '.' ? '' : ` in ${args.path}`}`
  const notes =
    fallback === undefined ? answer.notes : [`${fallback}; this is a text search instead`, ...answer.notes]
  const text = answer.lines.length > 0 ? answer.lines.join('\n') : none
  const below = formatRemarks(notes)
  const data = {
    mode: args.mode,
    engine: answer.engine,
    query: args.query ?? '',
    path: args.path,
    results: answer.results,
    total: answer.total,
    truncated: answer.total > answer.results.length || failure !== undefined,
    ...(answer.words && { words: answer.words }),
    ...(args.mode === 'agent' && { agent_fallback: true, reason: fallback ?? '' }),
  }
  if (!failure) return { text, data, closing: below }
  return { ...failureResult(failure, data), text: `${failureResult(failure).text}\n${text}`, closing: below }
}
