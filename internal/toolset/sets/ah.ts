// The toolset ah: four tools with few parameters, and a pager for truncated results.
import * as z from 'zod/mini'
import { field } from '../../tool/field.ts'
import type { ClipLimit } from '../../tool/tool.ts'
import type { ToolAdapter, ToolsetDefinition } from '../toolset.ts'

const filledText = () => z.string().check(z.minLength(1))
const optionalCount = (least: number) => z.optional(z.int().check(z.gte(least)))
const keepHalves = (chars: number, lines = Number.POSITIVE_INFINITY): ClipLimit => ({
  chars,
  lines,
  keep: 'halves',
})

const read: ToolAdapter = {
  name: 'read',
  about: 'Reads a text file, or shows a picture (jpg, png, gif, webp).\nLines count from 1.',
  example: { path: 'README.md', offset: 1, limit: 40 },
  input: z.object({
    path: field(filledText(), 'File to read.'),
    offset: field(optionalCount(1), 'First line, from 1; text only.'),
    limit: field(optionalCount(0), 'How many lines; 0 or none: up to the end; text only.'),
  }),
  to: [
    {
      when: { path: /\.(jpe?g|png|gif|webp)$/i },
      tool: 'look_at',
      args: { path: 'path', as_is: { always: true } },
      clip: keepHalves(50_000),
    },
    {
      tool: 'read',
      args: {
        path: 'path',
        start_line: { from: 'offset', or: 1 },
        end_line: { last: ['offset', 'limit'] },
        max_lines: { always: 0 },
        refuse_control: { always: true },
      },
      clip: keepHalves(50_000),
    },
  ],
}

const write: ToolAdapter = {
  name: 'write',
  about: 'Creates a file or replaces what it holds.\nFolders that are missing are made.',
  example: { path: 'notes/plan.md', content: '# Plan\n' },
  input: z.object({
    path: field(filledText(), 'File to write.'),
    content: field(z.string(), 'Its new content.'),
  }),
  to: [
    {
      tool: 'create_file',
      args: { path: 'path', content: 'content', overwrite: { always: true } },
      clip: keepHalves(10_000),
    },
  ],
}

const edit: ToolAdapter = {
  name: 'edit',
  about:
    'Replaces one text in a file.\nThe old text must be in exactly one place; nothing in it is a pattern.',
  example: { path: 'src/main.ts', old_string: 'retries = 3', new_string: 'retries = 5' },
  input: z.object({
    path: field(filledText(), 'File to change.'),
    old_string: field(filledText(), 'Text to replace.'),
    new_string: field(z.string(), 'Text to put in its place.'),
  }),
  to: [
    {
      tool: 'edit_file',
      args: { path: 'path', old_str: 'old_string', new_str: 'new_string' },
      faults: {
        ambiguous: { message: '`old_string` is not unique (found {failure.detail.lines.length} times)' },
      },
      clip: keepHalves(10_000),
    },
  ],
}

const bash: ToolAdapter = {
  name: 'bash',
  about:
    'Runs a command with bash -o pipefail -ec.\nBoth output streams come together. A command that takes ' +
    'longer than timeout (milliseconds) is ended.',
  example: { command: 'npm test', timeout: 60_000 },
  input: z.object({
    command: field(filledText(), 'Command to run.'),
    timeout: field(z._default(z.int().check(z.gte(1)), 120_000), 'Milliseconds it may take.'),
  }),
  to: [
    {
      tool: 'bash',
      args: { command: 'command', timeout_ms: 'timeout', strict: { always: true } },
      result: { text: '{raw.output}', empty: '(no output)' },
      faults: {
        command_failed: { message: 'exit code: {data.exit}' },
        timeout: { message: 'timed out after {args.timeout_ms} ms', hint: 'Give a larger timeout.' },
      },
      clip: keepHalves(30_000, 256),
    },
  ],
}

const result: ToolAdapter = {
  name: 'result',
  about: 'Shows a part of an output that was cut.\nLines count from 1.',
  example: { call_id: 'call_3', offset: 200 },
  input: z.object({
    call_id: field(filledText(), 'Call whose output it is.'),
    offset: field(z._default(z.int().check(z.gte(1)), 1), 'First line, from 1.'),
    limit: field(z._default(z.int().check(z.gte(1)), 200), 'How many lines.'),
  }),
  to: [
    {
      tool: 'result',
      args: { call_id: 'call_id', offset: { from: 'offset', plus: -1 }, limit: 'limit' },
      // The field `next` of the native result counts from 0, so `next_line` is used, which counts from 1.
      result: {
        head: { total_lines: '{data.total}', next_offset: '{data.next_line}' },
        body: { content: '{raw.content}' },
      },
    },
  ],
  optional: true,
}

export const ah: ToolsetDefinition = {
  name: 'ah',
  about: 'Four tools that take one call at a time: read, write, edit, bash',
  adapters: [read, write, edit, bash, result],
  policy: { parallel: 1, protectEnv: 'AH_PROTECT_DIRS', toolsSection: true, customTools: 'bare' },
}
