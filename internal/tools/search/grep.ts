// The tool grep: finds lines of files that match a pattern.
import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import { textOfBytes } from '../../base/text/byte-name.ts'
import { countNoun } from '../../base/text/count-noun.ts'
import { searchTextOrExpression } from '../../search/expression-fallback.ts'
import { listFiles } from '../../search/file-list.ts'
import { cappedRemarks, formatHits, matchList } from '../../search/hit-format.ts'
import { windowResults } from '../../search/hit-window.ts'
import { chooseRelevantHits } from '../../search/relevant-hits.ts'
import { ripgrepPrograms } from '../../search/ripgrep/ripgrep.ts'
import {
  bracketHint,
  formatRemarks,
  listRemarks,
  maxFoundBytes,
  maxSearchMs,
  readExclusion,
  readGlob,
  searchFailure,
} from '../../search/search-report.ts'
import { meansHidden, type PrefixedTree, treeAt } from '../../search/search-tree.ts'
import type { TextSearchResult } from '../../search/text-query.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { field, filledText, optionalFlag, optionalNumber, switchOff, wholeNumber } from '../../tool/field.ts'
import { partialResult, type ToolResult } from '../../tool/result.ts'
import { defineTool } from '../../tool/tool.ts'
import { findClosed, locatePath } from '../../tool-support/path-location.ts'
import { passagesOfHits } from '../../tool-support/shown-passages.ts'
import type { VariantArgs } from '../variants/index.ts'
import about from './grep.md'

/**
 * Largest number of matching lines of one file, for a call that returns a window: the part of all results
 * that `offset`, `limit` or a limit of characters selects.
 */
const maxWindowed = 100_000
/** Largest size in bytes of matching text in memory, for a call that returns a window of all results. */
const windowedBytes = 16 * maxFoundBytes

interface GrepData {
  engine: TextSearchResult['engine']
  pattern: string
  path: string
  matches: ReturnType<typeof matchList>
  files: number
  truncated: boolean
  left_out: { files: number; matches: number }
  capped: { path: string; matches: number | null }[]
  skipped: number
  unreadable: number
  /**
   * Form of the results. This field, `counts`, `total`, `offset` and `shown` are for a call that returns a
   * window of all results.
   */
  output?: 'lines' | 'files' | 'count'
  counts?: { path: string; matches: number }[]
  total?: number
  offset?: number
  shown?: number
  files_scanned?: number
}

/** Settings of parameters that are accepted but not described, because models know them from other agents. */
const hiddenField = { hidden: true }

const input = z.object({
  pattern: field(filledText(), 'Text to find; with regex: an expression such as log.*Error or foo|bar'),
  path: field(z._default(z.string(), '.'), 'Directory or file to search'),
  glob: field(z.optional(filledText()), 'Only files such as *.ts (at any depth) or src/**/*.ts'),
  case_sensitive: field(switchOff(), 'true: upper and lower case differ'),
  word_match: field(switchOff(), 'Match whole words only'),
  regex: field(switchOff(), 'Read pattern as a regular expression, without look-around'),
  max_matches: field(z._default(wholeNumber(), 50), 'Matching lines to show per file'),
  context: field(z._default(wholeNumber(0), 0), 'Lines to show around each match'),
  before: field(optionalNumber(0), 'Lines to show before each match.', hiddenField),
  after: field(optionalNumber(0), 'Lines to show after each match.', hiddenField),
  type: field(z.optional(filledText()), 'Kind of file as ripgrep names it, such as ts.', hiddenField),
  multiline: field(optionalFlag(), 'Let a match go over several lines.', hiddenField),
  output: field(z.optional(z.enum(['lines', 'files', 'count'])), 'What to list of matches.', hiddenField),
  limit: field(optionalNumber(), 'How many results over all files.', hiddenField),
  offset: field(optionalNumber(0), 'How many results are passed over first.', hiddenField),
})
type GrepArgs = z.output<typeof input> & VariantArgs<'grep'>

export const grep = defineTool({
  name: 'grep',
  about,
  input,
  example: { pattern: 'TODO', glob: '*.ts', context: 1 },
  level: 'auto_read',
  access: ({ path }) => ({ scope: [{ kind: 'path', path, access: 'read' }] }),
  available: (ctx) => (ctx.can.processes.run ? true : 'no programs can be started in this session'),
  async run(args: GrepArgs, ctx): Promise<ToolResult<GrepData>> {
    if (args.pattern.includes('\0')) {
      throw new FailureError({ code: 'bad_args', message: 'pattern: a NUL byte cannot be searched for' })
    }
    const glob = args.glob === undefined ? undefined : readGlob('glob', args.glob, true)
    const place = locatePath(ctx, args.path, 'read')
    const closed = await findClosed(ctx, place)
    const tree = treeAt(place, {
      closes: closed?.closes,
      hidden: meansHidden(place.shown, glob),
      namesHidden: true,
      guarded: true,
      glob,
      ignored: args.ignored ?? false,
      exclude: (args.exclude ?? []).map(readExclusion),
    })
    const contextLines = { before: args.before ?? args.context, after: args.after ?? args.context }
    const isWindowed = [args.limit, args.offset, args.output, args.max_chars].some((one) => one !== undefined)

    const query = queryOf(args, contextLines, isWindowed)
    const programs = ripgrepPrograms()
    const means = { run: ctx.can.processes.run, signal: ctx.signal, timeoutMs: maxSearchMs, programs }
    const { found: result, triedExpression, isExpression } = await searchTextOrExpression(tree, query, means)
    const failure = searchFailure(result.ended)
    const scanned = args.count_files ? (await listFiles(tree, means, () => undefined)).total : undefined
    if (isWindowed)
      return partialResult(
        reportWindow(result, tree, place.shown, contextLines, { ...args, scanned, isExpression }),
        failure,
      )
    const part = await chooseShown(result, args, ctx)
    const { files } = part ?? result
    const matches = matchList(files, tree.prefix, contextLines)
    const none = result.binary
      ? `${place.shown} is binary; nothing in it is shown`
      : [noLine(args.pattern, args.path), triedExpression && triedBoth, bracketHint(args.glob)]
          .filter(Boolean)
          .join('\n')
    const isGrouped = contextLines.before + contextLines.after > 0
    const text = matches.length > 0 ? formatHits(files, tree.prefix, isGrouped) : none
    const below = formatRemarks([
      ...(isExpression ? [expressionNote] : []),
      ...(part ? [part.note] : []),
      ...noteOmissions(result, tree, args.max_matches),
      ...(closed?.remarks() ?? []),
    ])
    const data = {
      engine: result.engine,
      pattern: args.pattern,
      path: place.shown,
      matches,
      ...countsOf(result, tree.prefix, failure !== undefined),
      files_scanned: scanned,
    }
    const whole = part && { whole: formatHits(result.files, tree.prefix, isGrouped) }
    return partialResult({ text, data, closing: below, ...whole }, failure)
  },
  evidence: async (data, text) => passagesOfHits(data?.matches ?? [], text),
})

/**
 * Returns for the data of the result: the number of shown files, of left out files and matching lines, of
 * files skipped because of their names, and of unreadable files, and the files with more matches than a file
 * may show (`capped`). `isBroken` means that the search ended early; `truncated` is then true.
 */
function countsOf(result: TextSearchResult, prefix: string, isBroken: boolean) {
  return {
    files: result.files.length,
    truncated: result.left.files > 0 || result.left.matches > 0 || isBroken,
    left_out: { files: result.left.files, matches: result.left.matches },
    capped: result.capped.map(({ name, total }) => ({
      path: prefix + textOfBytes(name),
      matches: total ?? null,
    })),
    skipped: result.skipped,
    unreadable: result.unreadable,
  }
}

/**
 * Returns the most relevant hits if all hits together have more than 200 lines, or more bytes than 20,000
 * or the limit of a result in the conversation. Returns undefined if they fit, and if the conversation
 * sets no limit.
 */
async function chooseShown(
  result: TextSearchResult,
  { pattern }: GrepArgs,
  { agent: { resultRoom } = {} }: Ctx,
) {
  if (resultRoom === undefined) return undefined
  return chooseRelevantHits(result, [pattern], { lines: 200, bytes: Math.min(20_000, resultRoom) })
}

const noLine = (pattern: string, path: string) =>
  `no line matches ${JSON.stringify(pattern)}${path === '.' ? '' : ` in ${path}`}`

const triedBoth = 'neither as text nor as a regular expression'
const expressionNote = 'no line has this text; these lines match it as a regular expression (regex: true)'

function queryOf(args: GrepArgs, contextLines: { before: number; after: number }, isWindowed: boolean) {
  return {
    patterns: [args.pattern],
    regex: args.regex,
    caseSensitive: args.case_sensitive,
    word: args.word_match,
    max: isWindowed ? maxWindowed : args.max_matches,
    context: args.context,
    contextLines,
    multiline: args.multiline ? true : undefined,
    type: args.type,
    room: isWindowed ? windowedBytes : maxFoundBytes,
    exact: true,
  }
}

interface WindowedArgs {
  pattern: string
  output?: 'lines' | 'files' | 'count' | undefined
  limit?: number | undefined
  offset?: number | undefined
  max_chars?: number | undefined
  scanned: number | undefined
  isExpression: boolean
}

/**
 * Returns the result of a call for a window: the selected part of all results, in order, with its position
 * and the total number of results.
 */
function reportWindow(
  result: TextSearchResult,
  tree: PrefixedTree,
  path: string,
  contextLines: { before: number; after: number },
  args: WindowedArgs,
) {
  const { pattern, output = 'lines', scanned } = args
  const page = windowResults(result, tree.prefix, contextLines, { ...args, output })
  const data = {
    engine: result.engine,
    pattern,
    path,
    output,
    matches: page.matches,
    counts: page.counts,
    left_out: { files: 0, matches: 0 },
    capped: [],
    total: page.total,
    offset: args.offset ?? 0,
    shown: page.shown,
    files: result.files.length + result.left.files,
    truncated: page.shown < page.total || result.ended !== undefined,
    skipped: result.skipped,
    unreadable: result.unreadable,
    files_scanned: scanned,
  }
  const remarks = [...(args.isExpression ? [expressionNote] : []), ...listRemarks(result, tree.prefix)]
  const closing = [...remarks.map((remark) => `[${remark}]`), page.closing].filter(Boolean)
  const text = page.total === 0 ? noLine(pattern, path) : page.text
  return { text, data, closing: closing.join('\n'), raw: { content: page.total === 0 ? '' : page.text } }
}

/** Returns notes on what the shown lines omit, most important first. */
function noteOmissions(result: TextSearchResult, tree: PrefixedTree, max: number): string[] {
  const out: string[] = []
  const { files, matches, more } = result.left
  if (matches > 0) {
    const lines = `${more ? 'at least ' : ''}${countNoun(matches, 'matching line')}`
    const where = files > 0 ? ` in ${countNoun(files, 'more file')}` : ''
    out.push(`256 KiB shown; ${lines}${where} left out: narrow with path, glob or a longer pattern`)
  }
  return [...out, ...cappedRemarks(result.capped, tree.prefix, max), ...listRemarks(result, tree.prefix)]
}
