// The tool finder: searches for files, text, symbols and answers, and ranks what it finds.
import * as z from 'zod/mini'
import { FailureError, UserError } from '../../base/errors.ts'
import {
  type PassageAnswer,
  type PassageResult,
  remarksFor,
  searchPassages,
} from '../../retrieval/workspace-passages.ts'
import {
  type FinderAnswer,
  type FinderQuery,
  findFiles,
  findSymbols,
  findText,
  findWords,
} from '../../search/finder.ts'
import { tellingWords } from '../../search/query-words.ts'
import { ripgrepPrograms } from '../../search/ripgrep/ripgrep.ts'
import {
  bracketHint,
  formatRemarks,
  maxSearchMs,
  readGlob,
  searchFailure,
} from '../../search/search-report.ts'
import { meansHidden, treeAt } from '../../search/search-tree.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { field } from '../../tool/field.ts'
import { partialResult, type ToolResult } from '../../tool/result.ts'
import { defineTool } from '../../tool/tool.ts'
import { symbolServersOf } from '../../tool-support/lsp-symbols.ts'
import { findClosed, locatePath } from '../../tool-support/path-location.ts'
import { passagesOfHits } from '../../tool-support/shown-passages.ts'
import { formatReceipts } from '../../tool-support/subagent-failure.ts'
import about from './finder.md'

const modes = ['files', 'text', 'symbols', 'passage', 'agent'] as const
const defaultLimit = { files: 50, text: 50, symbols: 50, agent: 50, passage: 8 } as const
const maxPassages = 20
const agentTime = 180_000

const input = z.object({
  mode: field(z._default(z.enum(modes), 'text'), 'What to search, see above', {
    synonyms: { file: 'files', symbol: 'symbols', passages: 'passage', question: 'passage' },
  }),
  query: field(z.optional(z.string()), 'What to look for; may be empty with mode files'),
  path: field(z._default(z.string(), '.'), 'Directory to search'),
  glob: field(z.optional(z.string().check(z.minLength(1))), 'Only files such as *.ts'),
  limit: field(
    z.optional(z.int().check(z.gte(1))),
    'Results to return; default 50, with passage 8 (at most 20)',
  ),
  case_sensitive: field(z._default(z.boolean(), false), 'true: upper and lower case differ'),
})
type FinderArgs = z.output<typeof input>

export const finder = defineTool({
  name: 'finder',
  about,
  input,
  example: { mode: 'text', query: 'function createServer', glob: '*.ts' },
  level: 'auto_read',
  offer: { lsp: 'uses' },
  effect: ({ mode }) => (mode === 'agent' ? 'spawn' : 'read'),
  access: ({ path }) => ({ scope: [{ kind: 'path', path, access: 'read' }] }),
  available: (ctx) => (ctx.can.processes.run ? true : 'no programs can be started in this session'),
  async run(args, ctx): Promise<ToolResult> {
    const query = args.query?.trim() ?? ''
    if (query === '' && args.mode !== 'files')
      throw new FailureError({ code: 'bad_args', message: `mode ${args.mode} needs a query` })
    if (query.includes('\0'))
      throw new FailureError({ code: 'bad_args', message: 'query: a NUL byte cannot be searched for' })
    const glob = args.glob === undefined ? undefined : readGlob('glob', args.glob, true)
    const place = locatePath(ctx, args.path, 'read')
    const hidden = meansHidden(place.shown, glob)
    const tree = treeAt(place, {
      hidden,
      guarded: true,
      glob,
      closes: (await findClosed(ctx, place))?.closes,
      namesHidden: args.mode === 'text' || args.mode === 'agent',
    })
    const means = {
      run: ctx.can.processes.run,
      signal: ctx.signal,
      timeoutMs: maxSearchMs,
      programs: ripgrepPrograms(),
    }
    const limit = args.limit ?? defaultLimit[args.mode]
    if (args.mode === 'passage') {
      const reader = ctx.agent?.resultRoom === undefined ? 'caller' : 'model'
      const answer = await searchPassages({
        tree,
        question: query,
        limit: Math.min(limit, maxPassages),
        means,
        reader,
        readers: ctx.can.processes.readers,
        onProgress: ({ files, of }) => {
          const payload = { call: ctx.call.id, tool: 'finder', progress: files, total: of, message: 'files' }
          void ctx.log.append({ type: 'tool.progress', payload })
        },
      })
      return reportPassages(args, query, answer, remarksFor(answer, reader))
    }
    const search = { tree, query, limit, caseSensitive: args.case_sensitive, means }

    if (args.mode === 'files') return reportAnswer(args, await findFiles(search))
    if (args.mode === 'symbols') return reportAnswer(args, await findSymbols(search, symbolServersOf(ctx)))
    if (args.mode === 'text') return reportAnswer(args, await findText(search))
    const answer = await searchWithAgent(args, query, ctx)
    return answer.kind === 'answered'
      ? answer.result
      : reportAnswer(args, await withoutAgent(search), answer.why)
  },
  async evidence(data, text) {
    const answer = data as Partial<FinderAnswer> | { mode: 'passage'; results: PassageResult[] } | null
    if (answer && 'mode' in answer && answer.mode === 'passage') {
      return answer.results.map(({ path, line, locator, heading, text, frame = [] }) => {
        const textsOf = (lines: typeof frame) => lines.map((one) => one.text)
        const before = textsOf(frame.filter((one) => one.line < line))
        return {
          canonical: path,
          locator,
          excerpt: [...before, text, ...textsOf(frame.slice(before.length))].join('\n'),
          heading: heading || undefined,
        }
      })
    }
    return passagesOfHits((data as Partial<FinderAnswer> | null)?.results ?? [], text)
  },
})

type AgentAnswer = { kind: 'answered'; result: ToolResult } | { kind: 'unanswered'; why: string }

/**
 * Returns the answer of a search agent, or the reason why the agent gave none. Throws FailureError
 * `cancelled` if the call is canceled.
 */
async function searchWithAgent(args: FinderArgs, query: string, ctx: Ctx): Promise<AgentAnswer> {
  if (!ctx.can.agents?.spawn) return { kind: 'unanswered', why: 'no agent can be started from here' }
  const within = args.path === '.' ? '' : `\nLook only below ${args.path}.`
  const only = args.glob === undefined ? '' : `\nLook only at files that match ${args.glob}.`
  const limitLine = args.limit === undefined ? '' : `\nAt most ${args.limit} places.`
  const order = {
    title: `Find: ${query.slice(0, 80)}`,
    goal: `Find this in the repository: ${query}${within}${only}${limitLine}`,
    serves: 'finder',
    readOnly: true,
    timeoutMs: agentTime,
  }
  try {
    const child = await ctx.can.agents?.spawn(order, ctx.signal)
    if (ctx.signal.aborted) throw new FailureError({ code: 'cancelled', message: 'the search was cancelled' })
    const text = child.text.trim()
    if (child.end !== 'done' || text === '') {
      const why = `the search agent ended with ${child.end}${child.reason ? ` (${child.reason})` : ''}`
      return { kind: 'unanswered', why }
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
    const lines = formatReceipts(receipts)
    const whole = lines.length > 0 ? `${text}\n\n${lines.join('\n')}` : text
    return { kind: 'answered', result: { text: whole, data } }
  } catch (error) {
    if (error instanceof UserError) return { kind: 'unanswered', why: error.message }
    throw error
  }
}

/**
 * Searches without an agent. Files rarely contain a question literally, so its significant words are searched
 * at once. A query with fewer than two such words is searched as a text.
 */
function withoutAgent(search: FinderQuery): Promise<FinderAnswer> {
  const words = tellingWords(search.query)
  return words.length > 1 ? findWords(search, words) : findText(search)
}

function reportPassages(args: FinderArgs, query: string, answer: PassageAnswer, notes: string[]): ToolResult {
  const { text, failure, ...data } = answer
  const where = args.path === '.' ? '' : ` in ${args.path}`
  return partialResult(
    {
      text:
        text === ''
          ? [`no passage contains a word of ${JSON.stringify(query)}${where}`, ...adviceOnNothing(args)].join(
              '\n',
            )
          : text,
      data: { mode: 'passage', query, path: args.path, ...data },
      closing: formatRemarks(notes),
    },
    failure,
  )
}

/**
 * Returns hints for a search without results: how to search hidden files, unless the call named them, and the
 * meaning of brackets, if the glob has some.
 */
function adviceOnNothing({ path, glob }: FinderArgs): string[] {
  const isHidden = meansHidden(path, glob === undefined ? undefined : readGlob('glob', glob, true))
  const hidden = isHidden ? undefined : 'hidden files are skipped: to search them, name one in path or glob'
  return [hidden, bracketHint(glob)].filter((hint) => hint !== undefined)
}

function reportAnswer(args: FinderArgs, answer: FinderAnswer, fallback?: string): ToolResult {
  const failure = searchFailure(answer.ended)
  const where = args.path === '.' ? '' : ` in ${args.path}`
  const none = [`nothing fits ${JSON.stringify(args.query ?? '')}${where}`, ...adviceOnNothing(args)].join(
    '\n',
  )
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
    words: answer.words,
    agent_fallback: args.mode === 'agent' ? true : undefined,
    reason: args.mode === 'agent' ? (fallback ?? '') : undefined,
  }
  return partialResult({ text, data, closing: below }, failure)
}
