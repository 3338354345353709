// The file tools of the toolset researchharness.
import * as z from 'zod/mini'
import { field } from '../../tool/field.ts'
import type { ArgumentSource, ToolAdapter } from '../toolset.ts'

const filledText = () => z.string().check(z.minLength(1))
const flagWithDefault = (standard: boolean) => z._default(z.boolean(), standard)
const countWithDefault = (standard: number) => z._default(z.int().check(z.gte(1)), standard)
const optionalLine = () => z.optional(z.int().check(z.gte(1)))
const maxChars = () => field(countWithDefault(16_384), 'Most characters.')
const constantSource = (value: unknown): ArgumentSource => ({ always: value })

const globFiles: ToolAdapter = {
  name: 'Glob',
  about: 'Finds files by a pattern of their paths, such as **/*.py.',
  example: { pattern: '**/*.py' },
  input: z.object({
    pattern: field(filledText(), 'Glob.'),
    path: field(z.optional(filledText()), 'Folder; the workspace.'),
    include_dirs: field(flagWithDefault(false), 'Folders too.'),
    max_results: field(countWithDefault(200), 'Most results.'),
  }),
  to: [
    {
      tool: 'glob',
      args: {
        pattern: 'pattern',
        path: 'path',
        include_hidden: constantSource(true),
        ignored: constantSource(true),
        directories: 'include_dirs',
        limit: 'max_results',
      },
      result: {
        head: {
          root: '{data.path|absolute}',
          pattern: '{data.pattern}',
          include_dirs: '{args.directories}',
          match_count: '{data.total}',
          truncated: '{data.truncated}',
        },
        body: { results: '{data.matches|absolute}' },
      },
    },
  ],
}

const grepLines: ToolAdapter = {
  name: 'Grep',
  about: 'Searches text files by a regular expression.\nResults are path:line:text.',
  example: { pattern: 'def \\w+_score', glob: '**/*.py' },
  input: z.object({
    pattern: field(filledText(), 'Regular expression.'),
    path: field(z.optional(filledText()), 'File or folder; the workspace.'),
    glob: field(z._default(filledText(), '**/*'), 'Which files.'),
    case_sensitive: field(flagWithDefault(false), 'Case counts.'),
    max_results: field(countWithDefault(100), 'Most lines.'),
    max_chars: maxChars(),
  }),
  to: [
    {
      tool: 'grep',
      args: {
        pattern: 'pattern',
        regex: constantSource(true),
        path: 'path',
        glob: 'glob',
        case_sensitive: 'case_sensitive',
        limit: 'max_results',
        max_chars: 'max_chars',
        count_files: constantSource(true),
      },
      result: {
        head: {
          root: '{data.path|absolute}',
          pattern: '{data.pattern}',
          glob: '{args.glob}',
          case_sensitive: '{args.case_sensitive}',
          files_scanned: '{data.files_scanned}',
          match_count: '{data.total}',
          truncated: '{data.truncated}',
        },
        body: { results: '{raw.content}' },
      },
    },
  ],
}

const readText: ToolAdapter = {
  name: 'Read',
  about: 'Reads a text file, or a part of it.\nLines count from 1.',
  example: { path: 'README.md', start_line: 1, end_line: 40 },
  input: z.object({
    path: field(filledText(), 'File.'),
    start_line: field(optionalLine(), 'First line.'),
    end_line: field(optionalLine(), 'Last line.'),
    max_chars: maxChars(),
  }),
  to: [
    {
      tool: 'read',
      args: {
        path: 'path',
        start_line: 'start_line',
        end_line: 'end_line',
        max_chars: 'max_chars',
        max_lines: constantSource(0),
        numbers: constantSource(false),
      },
      result: {
        head: {
          path: '{data.path|absolute}',
          source_type: 'text',
          start_line: '{data.start_line}',
          end_line: '{data.end_line}',
          total_lines: '{data.total_lines}',
          truncated: '{data.truncated}',
        },
        body: { content: '{raw.content}' },
      },
      faults: {
        'binary_or_encoding/pdf': { hint: 'use ReadPDF' },
        'binary_or_encoding/image': { hint: 'use ReadImage' },
      },
    },
  ],
}

const readPdf: ToolAdapter = {
  name: 'ReadPDF',
  about: 'Reads the text of a PDF, and lists its pictures as files for ReadImage.',
  example: { path: 'paper.pdf' },
  input: z.object({
    path: field(filledText(), 'PDF file.'),
    max_chars: maxChars(),
    max_image_paths: field(z._default(z.int().check(z.gte(0)), 20), 'Most pictures listed.'),
  }),
  to: [
    {
      tool: 'read_document',
      args: {
        path: 'path',
        only: constantSource('pdf'),
        max_chars: 'max_chars',
        max_images: 'max_image_paths',
        timeout_ms: { from: [], or: { env: 'READPDF_TIMEOUT_SECONDS', or: 300 }, times: 1_000 },
      },
      result: {
        head: {
          path: '{data.path|absolute}',
          source_type: 'pdf',
          total_lines: '{data.total_lines}',
          truncated: '{data.truncated}',
          note: '{data.cut}',
          image_count: '{data.image_count}',
          image_paths_listed: '{data.image_paths.length}',
          image_paths_truncated: '{data.image_paths_truncated}',
          image_note: '{data.image_note}',
        },
        body: { image_paths: '{data.image_paths}', content: '{raw.content}' },
      },
      alone: true,
    },
  ],
}

const readImage: ToolAdapter = {
  name: 'ReadImage',
  about: 'Shows a picture, with its facts.',
  example: { path: 'figure.png' },
  input: z.object({ path: field(filledText(), 'Picture file.') }),
  to: [
    {
      tool: 'look_at',
      args: { path: 'path' },
      result: {
        head: {
          path: '{data.path|absolute}',
          source_type: 'image',
          format: '{data.format}',
          mime_type: '{data.mime}',
          mode: '{data.mode}',
          width: '{data.width}',
          height: '{data.height}',
          byte_count: '{data.bytes}',
          llm_attachment_format: '{data.sent.mime}',
          llm_attachment_width: '{data.sent.width}',
          llm_attachment_height: '{data.sent.height}',
          llm_attachment_byte_count: '{data.sent.bytes}',
          not_attached: '{data.reason}',
        },
      },
    },
  ],
}

const writeFile: ToolAdapter = {
  name: 'Write',
  about: 'Writes a text file; missing folders are made.',
  example: { path: 'notes/plan.md', content: '# Plan\n' },
  input: z.object({
    path: field(filledText(), 'File.'),
    content: field(z.string(), 'All that it is to hold.'),
    overwrite: field(flagWithDefault(false), 'Replace a file that is there.'),
  }),
  to: [
    {
      tool: 'create_file',
      args: { path: 'path', content: 'content', overwrite: 'overwrite' },
    },
  ],
}

const editFile: ToolAdapter = {
  name: 'Edit',
  about: 'Changes a text file by a patch with @@ hunks, in the order of the file.\nContext decides where.',
  example: { path: 'main.py', patch: '@@ -1,2 +1,2 @@\n import os\n-retries = 3\n+retries = 5\n' },
  input: z.object({
    path: field(filledText(), 'File.'),
    patch: field(filledText(), 'Unified diff.'),
  }),
  to: [
    {
      tool: 'edit_file',
      args: { path: 'path', unified_diff: 'patch', hunk_order: constantSource('file') },
      result: { head: { path: '{data.path|absolute}', applied_hunks: '{data.hunks.length}' } },
      faults: { no_change: { message: 'No changes applied' } },
    },
  ],
}

export const researchFiles: readonly ToolAdapter[] = [
  globFiles,
  grepLines,
  readText,
  readPdf,
  readImage,
  writeFile,
  editFile,
]
