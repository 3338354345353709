// The file tools of the toolset hooman.
import * as z from 'zod/mini'
import { field } from '../../tool/field.ts'
import { requireValue } from '../conditions.ts'
import type { ArgumentSource, ToolAdapter } from '../toolset.ts'

const filledText = () => z.string().check(z.minLength(1))
const flagWithDefault = (standard: boolean) => z._default(z.boolean(), standard)
const optionalCount = () => z.optional(z.int().check(z.gte(1)))
const optionalGlobs = () => z.optional(z.array(filledText()))

const firstLine: ArgumentSource = { from: 'offset', or: 1 }
const lastLine: ArgumentSource = { last: ['offset', 'limit'], or: 250 }

const readFile: ToolAdapter = {
  name: 'read_file',
  about:
    'Reads a text file, 250 lines unless limit says otherwise.\n' +
    'Lines count from 1. Text comes without line numbers.',
  example: { path: 'README.md', offset: 1, limit: 40 },
  input: z.object({
    path: field(filledText(), 'File to read.'),
    offset: field(optionalCount(), 'First line, from 1.'),
    limit: field(optionalCount(), 'Most lines.'),
    binary: field(flagWithDefault(false), 'Shows a picture or document; other binary files come as base64.'),
  }),
  to: [
    {
      when: { binary: true },
      tool: 'look_at',
      args: { path: 'path', base64: { always: true }, pictures: { always: 8 } },
    },
    {
      tool: 'read',
      args: { path: 'path', start_line: firstLine, end_line: lastLine, numbers: { always: false } },
      faults: { binary_or_encoding: { hint: 'Set `binary` to look at it all the same.' } },
    },
  ],
}

const readMultipleFiles: ToolAdapter = {
  name: 'read_multiple_files',
  about: 'Reads up to 100 text files.\nOne that cannot be read is reported in its place. Lines count from 1.',
  example: { paths: ['package.json', 'tsconfig.json'], limit: 40 },
  input: z.object({
    paths: field(z.array(filledText()).check(z.minLength(1), z.maxLength(100)), 'Files to read.'),
    offset: field(optionalCount(), 'First line of each, from 1.'),
    limit: field(optionalCount(), 'Most lines of each.'),
  }),
  to: [
    {
      tool: 'multi_read',
      args: {
        paths: 'paths',
        start_line: firstLine,
        end_line: lastLine,
        numbers: { always: false },
        bulk: { always: true },
      },
    },
  ],
}

const writeFile: ToolAdapter = {
  name: 'write_file',
  about: 'Writes a text file; what it held is replaced unless append is set.',
  example: { path: 'notes/plan.md', content: '# Plan\n' },
  input: z.object({
    path: field(filledText(), 'File to write.'),
    content: field(z.string(), 'What to write.'),
    append: field(flagWithDefault(false), 'Add to the end.'),
    create_parents: field(flagWithDefault(true), 'Make missing folders.'),
  }),
  to: [
    {
      tool: 'create_file',
      args: {
        path: 'path',
        content: 'content',
        append: 'append',
        overwrite: { from: 'append', not: true },
        parents: 'create_parents',
      },
    },
  ],
}

const editFile: ToolAdapter = {
  name: 'edit_file',
  about:
    'Replaces texts in a file, in order, each in the result of the last; all or none.\n' +
    'Each oldText must be in exactly one place; differing whitespace is tolerated.',
  example: { path: 'src/main.ts', edits: [{ oldText: 'retries = 3', newText: 'retries = 5' }] },
  input: z.object({
    path: field(filledText(), 'File to change.'),
    edits: field(
      z.array(z.object({ oldText: filledText(), newText: z.string() })).check(z.minLength(1)),
      'Replacements.',
    ),
    dry_run: field(flagWithDefault(false), 'Only show what would change.'),
  }),
  to: [
    {
      tool: 'edit_file',
      args: {
        path: 'path',
        edits: { items: 'edits', each: { old: 'oldText', new: 'newText' } },
        match: { always: 'unescape' },
        dry_run: 'dry_run',
      },
    },
  ],
}

const createDirectory: ToolAdapter = {
  name: 'create_directory',
  about: 'Makes a directory; one that is there already is fine.',
  example: { path: 'src/parser' },
  input: z.object({
    path: field(filledText(), 'Directory to make.'),
    recursive: field(flagWithDefault(true), 'Make missing parents too.'),
  }),
  to: [{ tool: 'fs_mkdir', args: { path: 'path', parents: 'recursive' } }],
}

const listDirectory: ToolAdapter = {
  name: 'list_directory',
  about: 'Lists a directory as JSON.\nmax_depth needs recursive; without it 4 levels are listed.',
  example: { path: 'src', recursive: true, max_depth: 2 },
  input: z
    .object({
      path: field(filledText(), 'Directory to list.'),
      recursive: field(flagWithDefault(false), 'Subdirectories too.'),
      max_depth: field(optionalCount(), 'Levels, from 1.'),
      exclude_patterns: field(optionalGlobs(), 'Globs to leave out.'),
    })
    .check(requireValue(['max_depth'], 'recursive', true)),
  to: [
    {
      when: { recursive: true },
      tool: 'fs_list',
      args: { path: 'path', exclude: 'exclude_patterns', depth: { from: 'max_depth', or: 4 } },
      result: createListing(),
    },
    {
      tool: 'fs_list',
      args: { path: 'path', exclude: 'exclude_patterns', depth: { always: 1 } },
      result: createListing(),
    },
  ],
}

function createListing() {
  return {
    json: {
      path: '{data.path}',
      count: '{data.count}',
      truncated: '{data.truncated}',
      entries: '{data.entries}',
    },
  }
}

const directoryTree: ToolAdapter = {
  name: 'directory_tree',
  about: 'Shows a directory as a tree in JSON, 4 levels unless max_depth says otherwise.',
  example: { path: 'src', max_depth: 2 },
  input: z.object({
    path: field(filledText(), 'Directory to show.'),
    max_depth: field(optionalCount(), 'Levels, from 1.'),
    exclude_patterns: field(optionalGlobs(), 'Globs to leave out.'),
  }),
  to: [
    {
      tool: 'fs_list',
      args: {
        path: 'path',
        exclude: 'exclude_patterns',
        depth: { from: 'max_depth', or: 4 },
        tree: { always: true },
      },
      result: {
        json: {
          name: '{data.name}',
          path: '{data.path}',
          type: '{data.type}',
          children: '{data.children}',
        },
      },
    },
  ],
}

const moveFile: ToolAdapter = {
  name: 'move_file',
  about: 'Moves or renames a file or directory; destination is the whole new name.',
  example: { source: 'src/old.ts', destination: 'src/new.ts' },
  input: z.object({
    source: field(filledText(), 'What to move.'),
    destination: field(filledText(), 'Its new path.'),
    overwrite: field(flagWithDefault(false), 'Replace what is there.'),
  }),
  to: [
    {
      tool: 'fs_move',
      args: { source: 'source', destination: 'destination', overwrite: 'overwrite' },
    },
  ],
}

const getFileInfo: ToolAdapter = {
  name: 'get_file_info',
  about: 'Type, size, times and permissions of a file or directory, as JSON.',
  example: { path: 'README.md' },
  input: z.object({ path: field(filledText(), 'What to look at.') }),
  to: [
    {
      tool: 'fs_stat',
      args: { path: 'path' },
      result: {
        json: {
          path: '{data.path}',
          type: '{data.type}',
          is_file: '{data.is_file}',
          is_directory: '{data.is_directory}',
          size: '{data.size}',
          created: '{data.created}',
          modified: '{data.modified}',
          accessed: '{data.accessed}',
          permissions: '{data.permissions}',
        },
      },
    },
  ],
}

export const hoomanFiles: readonly ToolAdapter[] = [
  readFile,
  readMultipleFiles,
  writeFile,
  editFile,
  createDirectory,
  listDirectory,
  directoryTree,
  moveFile,
  getFileInfo,
]
