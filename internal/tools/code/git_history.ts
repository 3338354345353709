// The tool git_history: commits, changes, origin of lines and earlier texts, read from the git repository.
import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import { field } from '../../tool/field.ts'
import { defineTool } from '../../tool/tool.ts'
import { readGitHistory } from '../../tool-support/git-history.ts'
import about from './git_history.md'

const line = z.int().check(z.gte(1))

export const gitHistory = defineTool({
  name: 'git_history',
  about,
  offer: { optional: true },
  input: z.object({
    operation: field(z.enum(['log', 'show', 'diff', 'blame', 'file']), 'What to print'),
    path: field(
      z.optional(z.string().check(z.minLength(1))),
      'File or directory, also a deleted one; blame and file need a file; default: the workspace',
    ),
    revision: field(
      z._default(z.string().check(z.minLength(1)), 'HEAD'),
      'One commit, branch or tag such as HEAD~2; no range',
    ),
    to: field(
      z.optional(z.string().check(z.minLength(1))),
      'For diff: the revision to compare with; default: the files as they are now',
    ),
    limit: field(z._default(line, 20), 'For log: number of commits', { cap: 200 }),
    start_line: field(z.optional(line), 'For blame and file: first line'),
    end_line: field(z.optional(line), 'For blame and file: last line'),
  }),
  example: { operation: 'log', path: 'README.md', limit: 10 },
  level: 'auto_read',
  available: (ctx) => (ctx.can.processes.run ? true : 'git cannot be started here'),
  access: ({ path }) => ({ scope: [{ kind: 'path', path: path ?? '.', access: 'read' }] }),
  async run(args, ctx) {
    const needsPath = args.operation === 'blame' || args.operation === 'file'
    if (needsPath && args.path === undefined) {
      throw new FailureError({ code: 'bad_args', message: `${args.operation} needs path: the file to show` })
    }
    if (args.to !== undefined && args.operation !== 'diff')
      throw new FailureError({ code: 'bad_args', message: `only diff takes to, not ${args.operation}` })
    return readGitHistory(args, ctx)
  },
})
