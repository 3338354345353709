// The tools of the toolset researchharness for commands, the web, questions and terminals.
import * as z from 'zod/mini'
import { field } from '../../tool/field.ts'
import type { EnvironmentNumber, ResultForm, ToolAdapter } from '../toolset.ts'

const filledText = () => z.string().check(z.minLength(1))
const flagWithDefault = (standard: boolean) => z._default(z.boolean(), standard)
const sizeWithDefault = (standard: number) => z._default(z.int().check(z.gte(1), z.lte(1_000)), standard)

const runCommand: ToolAdapter = {
  name: 'Bash',
  about: 'Runs one command with bash.',
  example: { command: 'python3 -m pytest -q', timeout: 120 },
  input: z.object({
    command: field(filledText(), 'Line or script.'),
    timeout: field(z._default(z.number().check(z.gt(0)), 30), 'Seconds.'),
    workdir: field(z.optional(filledText()), 'Folder; the workspace.'),
  }),
  to: [
    {
      tool: 'bash',
      args: {
        command: 'command',
        timeout_ms: { from: 'timeout', times: 1_000 },
        cwd: 'workdir',
        streams: { always: 'apart' },
      },
      result: {
        head: { exit_code: '{data.exit}', duration_ms: '{data.duration_ms}', notes: '{raw.notes}' },
        body: { stdout: '{raw.stdout}', stderr: '{raw.stderr}' },
      },
      faults: {
        timeout: { message: 'timed out after {args.timeout_ms|seconds} s', hint: 'Give a larger timeout.' },
      },
    },
  ],
}

const searchWeb: ToolAdapter = {
  name: 'WebSearch',
  about: 'Searches the web.\nOne query a call; several calls in one turn run together.',
  example: { query: 'node 24 release notes' },
  input: z.object({ query: field(filledText(), 'One query.') }),
  to: [
    {
      tool: 'web_search',
      args: { query: 'query', prefer: { always: 'serper' } },
      result: {
        heading: '## Web Results',
        list: 'data.results',
        item: '{item.title}\n{item.url}\ndate: {item.published}\n{item.snippet}',
        empty: '{text}',
      },
    },
  ],
}

const searchPapers: ToolAdapter = {
  name: 'ScholarSearch',
  about: 'Searches scholarly works.\nOne query a call.',
  example: { query: 'speculative decoding large language models' },
  input: z.object({ query: field(filledText(), 'One query.') }),
  to: [
    {
      tool: 'scholar_search',
      args: { query: 'query' },
      result: {
        heading: '## Scholar Results',
        list: 'data.results',
        item:
          '{item.title}\npdf: {item.pdf}\npublicationInfo: {item.publication}\nyear: {item.year}\n' +
          'citations: {item.citations}\nabstract: {item.abstract}',
        empty: '{text}',
      },
    },
  ],
}

const maxFetchedChars: EnvironmentNumber = { env: 'WEBFETCH_MAX_CHARS', or: 16_384 }
const lineNumber = () => z.int().check(z.gte(1))

const fetchPage: ToolAdapter = {
  name: 'WebFetch',
  about: 'Shows the text of a web page, or a part of it.\nLines count from 1.',
  example: { url: 'https://example.com' },
  input: z
    .object({
      url: field(filledText(), 'Address.'),
      start_line: field(z._default(lineNumber(), 1), 'First line.'),
      end_line: field(z.optional(lineNumber()), 'Last line.'),
      max_chars: field(z.optional(lineNumber()), 'Most characters (16384, never more).'),
    })
    .check(
      z.refine(({ start_line, end_line }) => end_line === undefined || end_line >= start_line, {
        error: 'end_line lies before start_line',
      }),
    ),
  to: [
    {
      tool: 'web_fetch',
      args: {
        url: 'url',
        start_line: 'start_line',
        end_line: 'end_line',
        max_chars: { from: 'max_chars', or: maxFetchedChars, refuseOver: maxFetchedChars },
      },
      result: {
        head: {
          url: '{data.url}',
          source_type: 'web',
          start_line: '{data.start_line}',
          end_line: '{data.end_line}',
          total_lines: '{data.total_lines}',
          total_chars: '{data.total_chars}',
          max_chars: '{data.max_chars}',
          returned_chars: '{data.returned_chars}',
          truncated: '{data.truncated}',
        },
        body: { content: '{raw.content}', notes: '{data.notes}' },
      },
    },
  ],
}

const askUser: ToolAdapter = {
  name: 'AskUser',
  about: 'Asks the user one question that nothing else can answer.',
  example: { question: 'Which of the two datasets is meant?' },
  input: z.object({
    question: field(filledText(), 'The question.'),
    context: field(z.optional(z.string()), 'Why it is asked.'),
  }),
  to: [
    {
      tool: 'ask_user',
      args: {
        question: 'question',
        reason: 'context',
        options: { always: [] },
        allow_freeform: { always: true },
      },
      result: { text: '{data.answers.0.text}', empty: '{text}' },
      ifNoUser: { text: '{failure.message}; continue without an answer' },
    },
  ],
}

const sessionField = () => field(filledText(), 'Id from TerminalStart.')
const waitField = () => field(z._default(z.int().check(z.gte(0)), 200), 'Milliseconds to wait.')
const maxOutput = () => field(z._default(z.int().check(z.gte(1)), 16_384), 'Most characters.')

const started = {
  session_id: '{data.session_id}',
  pid: '{data.pid}',
  cwd: '{data.cwd}',
  shell: '{data.shell}',
  alive: '{data.alive}',
  returncode: '{data.returncode}',
}

const output: ResultForm = {
  head: {
    session_id: '{data.session_id}',
    alive: '{data.alive}',
    returncode: '{data.returncode}',
    output_chars: '{data.output_chars}',
    remaining_output_chars: '{data.remaining_output_chars}',
    dropped_output_chars: '{data.dropped_output_chars}',
    truncated: '{data.truncated}',
  },
  body: { output: '{raw.output}' },
}

const startTerminal: ToolAdapter = {
  name: 'TerminalStart',
  about: 'Starts a shell that lasts from call to call.',
  example: {},
  input: z.object({
    cwd: field(z.optional(filledText()), 'Folder; the workspace.'),
    shell: field(z._default(filledText(), 'bash'), 'Shell.'),
    rows: field(sizeWithDefault(30), 'Lines.'),
    cols: field(sizeWithDefault(120), 'Columns.'),
  }),
  to: [
    {
      tool: 'terminal_start',
      args: { cwd: 'cwd', shell: 'shell', rows: 'rows', cols: 'cols' },
      result: { head: started },
    },
  ],
}

const writeTerminal: ToolAdapter = {
  name: 'TerminalWrite',
  about: 'Types into a terminal and reads what comes.',
  example: { session_id: 'term_1', input: 'python3 train.py', yield_time_ms: 2_000 },
  input: z.object({
    session_id: sessionField(),
    input: field(z.string(), 'Text to type.'),
    append_newline: field(flagWithDefault(true), 'End it with a newline.'),
    yield_time_ms: waitField(),
    max_output_chars: maxOutput(),
  }),
  to: [
    {
      tool: 'terminal_write',
      args: {
        session_id: 'session_id',
        input: 'input',
        append_newline: 'append_newline',
        yield_time_ms: 'yield_time_ms',
        max_output_chars: 'max_output_chars',
      },
      result: output,
    },
  ],
}

const readTerminal: ToolAdapter = {
  name: 'TerminalRead',
  about: 'Reads what a terminal has written since the last look.',
  example: { session_id: 'term_1', yield_time_ms: 5_000 },
  input: z.object({ session_id: sessionField(), yield_time_ms: waitField(), max_output_chars: maxOutput() }),
  to: [
    {
      tool: 'terminal_read',
      args: {
        session_id: 'session_id',
        yield_time_ms: 'yield_time_ms',
        max_output_chars: 'max_output_chars',
      },
      result: output,
      alone: true,
    },
  ],
}

const interruptTerminal: ToolAdapter = {
  name: 'TerminalInterrupt',
  about: 'Sends Ctrl-C to what runs in a terminal; the shell stays.',
  example: { session_id: 'term_1' },
  input: z.object({ session_id: sessionField(), max_output_chars: maxOutput() }),
  to: [
    {
      tool: 'terminal_interrupt',
      args: { session_id: 'session_id', max_output_chars: 'max_output_chars' },
      result: output,
    },
  ],
}

const killTerminal: ToolAdapter = {
  name: 'TerminalKill',
  about: 'Ends a terminal and all that runs in it.',
  example: { session_id: 'term_1' },
  input: z.object({ session_id: sessionField(), force: field(flagWithDefault(false), 'At once.') }),
  to: [
    {
      tool: 'terminal_kill',
      args: { session_id: 'session_id', force: 'force' },
      result: {
        head: {
          session_id: '{data.session_id}',
          alive: '{data.alive}',
          returncode: '{data.returncode}',
        },
      },
    },
  ],
}

export const researchSession: readonly ToolAdapter[] = [
  runCommand,
  searchWeb,
  searchPapers,
  fetchPage,
  askUser,
  startTerminal,
  writeTerminal,
  readTerminal,
  interruptTerminal,
  killTerminal,
]
