// The tool grep: lines of files that match a pattern.
import * as z from 'zod/mini'
import { FailureError } from '../base/errors.ts'
import { textOfBytes } from '../search/byte-name.ts'
import { cappedRemarks, formatHits, matchList } from '../search/hit-format.ts'
import { ripgrepPrograms } from '../search/ripgrep/ripgrep.ts'
import {
  countNoun,
  formatRemarks,
  listRemarks,
  maxFoundBytes,
  maxSearchMs,
  readGlob,
  searchFailure,
} from '../search/search-report.ts'
import { type PrefixedTree, treeAt } from '../search/search-tree.ts'
import type { TextSearchResult } from '../search/text-query.ts'
import { searchText } from '../search/text-search.ts'
import { field } from '../tool/field.ts'
import { partialResult } from '../tool/result.ts'
import { defineTool } from '../tool/tool.ts'
import { locatePath } from '../tool-support/path-location.ts'
import about from './grep.md'

const text = z.string().check(z.minLength(1))
const flag = () => z._default(z.boolean(), false)

export const grep = defineTool({
  name: 'grep',
  about,
  input: z.object({
    pattern: field(text, 'What to search for: literal text unless regex is true.'),
    path: field(z._default(z.string(), '.'), 'Folder or file to search, relative to the workspace.'),
    glob: field(z.optional(z.string().check(z.minLength(1))), 'Only files that match, such as *.ts.'),
    case_sensitive: field(flag(), 'Tell upper from lower case.'),
    word_match: field(flag(), 'Match whole words only.', { rare: true }),
    regex: field(flag(), 'Take pattern as a regular expression.'),
    max_matches: field(
      z._default(z.int().check(z.gte(1)), 50),
      'How many matching lines are returned per file.',
      { rare: true },
    ),
    context: field(z._default(z.int().check(z.gte(0)), 0), 'Lines to show around each match.'),
  }),
  example: { pattern: 'TODO', glob: '*.ts', context: 1 },
  level: 'auto_read',
  scope: ({ path }) => [{ kind: 'path', path, access: 'read' }],
  available: (ctx) => (ctx.can.run ? true : 'no programs can be started in this session'),
  async run(args, ctx) {
    if (args.pattern.includes('\0')) {
      throw new FailureError({ code: 'bad_args', message: 'pattern: a NUL byte cannot be searched for' })
    }
    const glob = args.glob === undefined ? undefined : readGlob('glob', args.glob, true)
    const place = locatePath(ctx, args.path, 'read')
    const tree = treeAt(place, { hidden: false, guarded: true, glob })

    const wanted = {
      patterns: [args.pattern],
      regex: args.regex,
      caseSensitive: args.case_sensitive,
      word: args.word_match,
      max: args.max_matches,
      context: args.context,
      room: maxFoundBytes,
      exact: true,
    }
    const means = {
      run: ctx.can.run,
      signal: ctx.signal,
      timeoutMs: maxSearchMs,
      programs: ripgrepPrograms(),
    }
    const found = await searchText(tree, wanted, means)
    const failure = searchFailure(found.ended)
    const matches = matchList(found.files, tree.prefix, args.context)
    const none = found.binary
      ? `${place.shown} is binary; nothing in it is shown`
      : `no line matches ${JSON.stringify(args.pattern)}${args.path === '.' ? '' : ` in ${args.path}`}`
    const text = matches.length > 0 ? formatHits(found.files, tree.prefix, args.context > 0) : none
    const below = formatRemarks(notes(found, tree, args.max_matches))
    const data = {
      engine: found.engine,
      pattern: args.pattern,
      path: place.shown,
      matches,
      files: found.files.length,
      truncated: found.left.files > 0 || found.left.matches > 0 || failure !== undefined,
      left_out: { files: found.left.files, matches: found.left.matches },
      capped: found.capped.map(({ name, total }) => ({
        path: tree.prefix + textOfBytes(name),
        matches: total ?? null,
      })),
      skipped: found.skipped,
      unreadable: found.unreadable,
    }
    return partialResult({ text, data, closing: below }, failure)
  },
  evidence: async (data) =>
    (await import('../tool-support/shown-passages.ts')).passagesOfHits(data?.matches ?? []),
})

/** What is missing from the lines shown, most important first. */
function notes(found: TextSearchResult, tree: PrefixedTree, max: number): string[] {
  const out: string[] = []
  const { files, matches, more } = found.left
  if (matches > 0) {
    const lines = `${more ? 'at least ' : ''}${countNoun(matches, 'matching line', 'matching lines')}`
    const where = files > 0 ? ` in ${countNoun(files, 'more file', 'more files')}` : ''
    out.push(`256 KiB shown; ${lines}${where} left out: narrow with path, glob or a longer pattern`)
  }
  return [...out, ...cappedRemarks(found.capped, tree.prefix, max), ...listRemarks(found)]
}
