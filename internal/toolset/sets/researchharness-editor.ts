// The optional tool of the toolset researchharness that views and edits files by commands.
import * as z from 'zod/mini'
import { field } from '../../tool/field.ts'
import { requireGiven } from '../conditions.ts'
import type { ToolAdapter } from '../toolset.ts'

const commands = ['view', 'create', 'str_replace', 'insert', 'undo_edit'] as const
const lineOrEnd = () => z.int().check(z.gte(-1))

const isAbsolute = ({ path }: { path: string }) => path.startsWith('/')

/**
 * Returns true for a valid or missing range of lines. Its last line may be -1, which means the end
 * of the file.
 */
function isWindow({ view_range }: { view_range?: readonly number[] | undefined }): boolean {
  if (!view_range) return true
  const [first = 0, last = 0] = view_range
  return first >= 1 && (last === -1 || last >= first)
}

export const researchEditor: ToolAdapter = {
  name: 'str_replace_editor',
  optional: true,
  about:
    'Views, makes and edits text files by commands; undo_edit takes back its last edit of a file.\n' +
    'Paths are absolute. Lines count from 1. str_replace wants text that is there exactly once.',
  example: { command: 'view', path: '/workspace/main.py', view_range: [1, 40] },
  input: z
    .object({
      command: field(z.enum(commands), 'What to do.'),
      path: field(z.string().check(z.minLength(1)), 'File, or a folder to view; absolute.'),
      file_text: field(z.optional(z.string()), 'For create: all that the file is to hold.'),
      old_str: field(z.optional(z.string().check(z.minLength(1))), 'For str_replace: text to replace.'),
      new_str: field(z.optional(z.string()), 'For str_replace and insert: the new text.'),
      insert_line: field(z.optional(z.int().check(z.gte(0))), 'For insert: the line to insert below.'),
      view_range: field(
        z.optional(z.array(lineOrEnd()).check(z.minLength(2), z.maxLength(2))),
        'For view: first and last line; -1 is the end.',
      ),
    })
    .check(
      z.refine(isAbsolute, { error: 'path must be absolute' }),
      z.refine(isWindow, { error: 'view_range must be [first, last], with lines from 1 in order' }),
      requireGiven('command', 'create', ['file_text']),
      requireGiven('command', 'str_replace', ['old_str']),
      requireGiven('command', 'insert', ['insert_line', 'new_str']),
    ),
  to: [
    {
      when: { command: 'view' },
      tool: 'read',
      args: {
        path: 'path',
        start_line: { from: 'view_range', at: 0 },
        end_line: { from: 'view_range', at: 1, skip: -1 },
        max_lines: { always: 0 },
        numbers: { always: false },
      },
      result: { text: '{raw.content|cat_n}', empty: '{text}' },
      otherwise: {
        is_directory: {
          tool: 'fs_list',
          args: { path: 'path', depth: { always: 2 }, hidden: { always: false } },
        },
        binary_or_encoding: { tool: 'read_document', args: { path: 'path' } },
      },
      alone: true,
    },
    {
      when: { command: 'create' },
      tool: 'create_file',
      args: { path: 'path', content: 'file_text', parents: { always: false } },
    },
    {
      when: { command: 'str_replace' },
      tool: 'edit_file',
      args: { path: 'path', old_str: 'old_str', new_str: { from: 'new_str', or: '' } },
      faults: {
        ambiguous: {
          message: '`old_str` must be unique: it is there {failure.detail.lines.length} times',
          hint: 'Add lines around it.',
        },
      },
    },
    {
      when: { command: 'insert' },
      tool: 'edit_file',
      args: { path: 'path', insert_line: 'insert_line', new_str: 'new_str' },
    },
    {
      tool: 'undo',
      args: { path: 'path', by: { always: 'researchharness/str_replace_editor' } },
      faults: { nothing_to_undo: { message: 'nothing to undo' } },
    },
  ],
}
