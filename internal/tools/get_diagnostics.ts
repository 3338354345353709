// The tool get_diagnostics: what language servers say is wrong with files, as they are on disk now.
import * as z from 'zod/mini'
import { field } from '../tool/field.ts'
import { failureFrom } from '../tool/file.ts'
import { isFailure, locate } from '../tool/locate.ts'
import { severities } from '../tool/lsp.ts'
import { diagnosed, serversOf, usable } from '../tool/lsp-report.ts'
import { failed, failedWith, type Result } from '../tool/result.ts'
import { mayShow } from '../tool/sight.ts'
import { tool } from '../tool/tool.ts'
import about from './get_diagnostics.md'

/** Files of one call; each may wait for its server. */
const mostFiles = 100

const input = z.object({
  path: field(z.optional(z.string()), 'File, relative to the workspace.'),
  paths: field(z._default(z.array(z.string()), []), 'More files; together with path.'),
  wait: field(z._default(z.boolean(), false), 'Wait until the servers have looked at the present content.'),
  wait_timeout_ms: field(z._default(z.int().check(z.gte(1)), 10_000), 'Milliseconds to wait.', {
    cap: 30_000,
    rare: true,
  }),
  severity: field(z._default(z.enum(['any', ...severities]), 'any'), 'Only diagnostics of this severity.'),
})

export const getDiagnostics = tool({
  name: 'get_diagnostics',
  about,
  input,
  example: { path: 'src/main.ts', wait: true, severity: 'error' },
  level: 'auto_read',
  needs: 'lsp',
  scope: ({ path, paths }) =>
    [...(path === undefined ? [] : [path]), ...paths].map((one) => ({
      kind: 'path',
      path: one,
      access: 'read',
    })),
  available: usable,
  async run({ path, paths, wait, wait_timeout_ms, severity }, ctx): Promise<Result> {
    const named = [...new Set([...(path === undefined ? [] : [path]), ...paths])]
    if (named.length > mostFiles) return failed('bad_args', `at most ${mostFiles} files in one call`)
    const files: string[] = []
    for (const name of named) {
      const place = await locate(ctx, name, 'read')
      if (isFailure(place)) return failedWith(place)
      if (!place.exists) return failed('not_found', `${place.shown} does not exist`)
      files.push(place.real)
    }
    try {
      if (named.length === 0) {
        for (const file of serversOf(ctx).known().slice(0, mostFiles)) {
          if (await mayShow(file, ctx)) files.push(file)
        }
      }
      if (files.length === 0) {
        const data = { files: [], severity }
        return { text: 'no server has reported on any file yet; name one with path and set wait', data }
      }
      const wish = { waitMs: wait ? wait_timeout_ms : 0, ...(severity !== 'any' && { severity }) }
      return await diagnosed(ctx, files, wish)
    } catch (error) {
      return failedWith(failureFrom(error))
    }
  },
})
