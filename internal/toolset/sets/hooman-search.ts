// The tools of the toolset hooman that search, run commands and reach the web.
import * as z from 'zod/mini'
import { field } from '../../tool/field.ts'
import { requireApart, requireTogether, requireWithout } from '../conditions.ts'
import type { ArgumentSource, ToolAdapter } from '../toolset.ts'

const filledText = () => z.string().check(z.minLength(1))
const switchOff = () => z._default(z.boolean(), false)
const optionalCount = () => z.optional(z.int().check(z.gte(1)))
const optionalLines = () => z.optional(z.int().check(z.gte(0)))
const optionalDate = () =>
  z.optional(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'must be YYYY-MM-DD' })))
const secondsWithDefault = (standard: number) => z._default(z.number().check(z.gt(0)), standard)

const limit: ArgumentSource = { from: ['head_limit', 'max_results'], or: 500 }
const milliseconds: ArgumentSource = { from: 'timeout', times: 1000 }

const contentOnly = ['type', 'context', 'before', 'after', 'multiline', 'fixed_strings']

const grep: ToolAdapter = {
  name: 'grep',
  about:
    'Finds files by glob (paths), or searches in files with a regular expression (content, ' +
    'files_with_matches, count).\nThe last line says which results are shown, `[a-b of n]`.',
  example: { pattern: 'TODO', output_mode: 'content', glob: '*.ts' },
  input: z
    .object({
      pattern: field(filledText(), 'Regular expression; with paths a glob.'),
      path: field(z._default(filledText(), '.'), 'Where to search.'),
      output_mode: field(
        z._default(z.enum(['paths', 'content', 'files_with_matches', 'count']), 'paths'),
        'What to return.',
      ),
      glob: field(z.optional(filledText()), 'Only such files.'),
      type: field(z.optional(filledText()), 'File type: ts, py.'),
      exclude_patterns: field(z.optional(z.array(filledText())), 'Globs to leave out.'),
      context: field(optionalLines(), 'Lines around matches.'),
      before: field(optionalLines(), 'Lines before.'),
      after: field(optionalLines(), 'Lines after.'),
      case_insensitive: field(switchOff(), 'Ignore case.'),
      fixed_strings: field(switchOff(), 'Literal pattern.'),
      multiline: field(switchOff(), 'Match across lines.'),
      no_ignore: field(switchOff(), 'Also ignored files.'),
      head_limit: field(optionalCount(), 'Most results (500).'),
      max_results: field(optionalCount(), 'Same as head_limit.'),
      offset: field(z._default(z.int().check(z.gte(0)), 0), 'Results to skip.'),
    })
    .check(requireWithout('output_mode', 'paths', contentOnly), requireApart('head_limit', 'max_results')),
  to: [
    {
      when: { output_mode: 'paths' },
      tool: 'glob',
      args: {
        pattern: 'pattern',
        path: 'path',
        anywhere: { always: true },
        include_hidden: { always: true },
        ignored: { always: true },
        exclude: 'exclude_patterns',
        limit,
        offset: 'offset',
      },
      ifEmpty: {
        list: 'data.matches',
        say: 'With `output_mode` paths the pattern is a glob; set it to content to search in files.',
      },
    },
    ...(['content', 'files_with_matches', 'count'] as const).map((mode) => ({
      when: mode === 'count' ? undefined : { output_mode: mode },
      tool: 'grep',
      args: {
        pattern: 'pattern',
        path: 'path',
        regex: { from: 'fixed_strings', not: true as const },
        case_sensitive: { from: 'case_insensitive', not: true as const },
        glob: 'glob',
        type: 'type',
        exclude: 'exclude_patterns',
        context: 'context',
        before: 'before',
        after: 'after',
        multiline: 'multiline',
        ignored: 'no_ignore',
        limit,
        offset: 'offset',
        output: { always: { content: 'lines', files_with_matches: 'files', count: 'count' }[mode] },
      },
    })),
  ],
}

const shell: ToolAdapter = {
  name: 'shell',
  about:
    'Runs shell commands, in order or side by side.\n' +
    'Times are seconds. A sequence stops at the first failure; a bare `cd` moves the commands after it.',
  example: { command: [{ command: 'npm test', timeout: 60 }] },
  input: z.object({
    command: field(
      z
        .array(
          z.object({
            command: filledText(),
            timeout: z.optional(z.number().check(z.gt(0))),
            work_dir: z.optional(filledText()),
            stdin: z.optional(z.string()),
          }),
        )
        .check(z.minLength(1), z.maxLength(20)),
      'Commands to run.',
      { lone: 'command' },
    ),
    parallel: field(switchOff(), 'Side by side.'),
    ignore_errors: field(switchOff(), 'Ignore failures.'),
    timeout: field(secondsWithDefault(900), 'Seconds for each (900).'),
    work_dir: field(z.optional(filledText()), 'Directory to start in.'),
  }),
  to: [
    {
      tool: 'bash_batch',
      args: {
        commands: {
          items: 'command',
          each: { command: 'command', cwd: 'work_dir', timeout_ms: milliseconds, stdin: 'stdin' },
        },
        cwd: 'work_dir',
        timeout_ms: milliseconds,
        parallel: 'parallel',
        keep_going: 'ignore_errors',
      },
    },
  ],
}

const fetch: ToolAdapter = {
  name: 'fetch',
  about:
    'Fetches an http or https address; HTML becomes Markdown.\n' +
    'Characters count from 0. Private addresses are refused.',
  example: { url: 'https://example.com', max_length: 5000 },
  input: z.object({
    url: field(filledText(), 'Address.'),
    max_length: field(z._default(z.int().check(z.gte(1)), 5000), 'Most characters (5000).'),
    start_index: field(z._default(z.int().check(z.gte(0)), 0), 'First character, from 0.'),
    raw: field(switchOff(), 'As it is sent.'),
    timeout: field(secondsWithDefault(30), 'Seconds (30).'),
    headers: field(z.optional(z.record(z.string(), z.string())), 'More headers.'),
  }),
  to: [
    {
      tool: 'web_fetch',
      args: {
        url: 'url',
        start_char: 'start_index',
        max_chars: 'max_length',
        raw: 'raw',
        timeout_ms: milliseconds,
        headers: 'headers',
      },
      result: {
        head: {
          url: '{data.url}',
          status: '{data.status}',
          content_type: '{data.content_type}',
          total_length: '{data.total_chars}',
          start_index: '{args.start_char}',
          truncated: '{data.truncated}',
          next_start_index: '{data.next_char}',
        },
        body: { content: '{raw.content}', notes: '{data.notes}' },
      },
    },
  ],
}

const webSearch: ToolAdapter = {
  name: 'web_search',
  about: 'Searches the web.\nEither freshness, or start_date with end_date (YYYY-MM-DD).',
  example: { query: 'node 24 release notes', count: 3 },
  input: z
    .object({
      query: field(filledText().check(z.maxLength(400)), 'What to search for.'),
      count: field(z._default(z.int().check(z.gte(1), z.lte(20)), 5), 'Results, 1 to 20.'),
      freshness: field(z.optional(z.enum(['day', 'week', 'month', 'year'])), 'How new.'),
      start_date: field(optionalDate(), 'Earliest day.'),
      end_date: field(optionalDate(), 'Latest day.'),
      country: field(
        z.optional(z.string().check(z.regex(/^[A-Za-z]{2}$/, { error: 'must be two letters' }))),
        'Two letters.',
      ),
      safe_search: field(z.optional(z.boolean()), 'Safe search.'),
    })
    .check(requireTogether('start_date', 'end_date'), requireApart('freshness', 'start_date', 'end_date')),
  to: [
    {
      tool: 'web_search',
      args: {
        query: 'query',
        max_results: 'count',
        recency: 'freshness',
        start_published_date: 'start_date',
        end_published_date: 'end_date',
        country: 'country',
        safe_search: 'safe_search',
      },
    },
  ],
}

export const hoomanSearch: readonly ToolAdapter[] = [grep, shell, fetch, webSearch]
