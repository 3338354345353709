// The tool get_diagnostics: problems that language servers report for files, as the files are on disk now.
import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import { field } from '../../tool/field.ts'
import { lspSeverities } from '../../tool/lsp.ts'
import type { ToolResult } from '../../tool/result.ts'
import { defineTool } from '../../tool/tool.ts'
import { mayShowFile } from '../../tool-support/line-reader.ts'
import {
  checkLspAvailable,
  reportDiagnostics,
  requireLspServers,
} from '../../tool-support/lsp-diagnostics.ts'
import { locateExisting } from '../../tool-support/path-location.ts'
import about from './get_diagnostics.md'

/** Largest number of files of one call. Each file may have to wait for its server. */
const maxFiles = 100

const input = z.object({
  path: field(z.optional(z.string()), 'File to report on'),
  paths: field(z._default(z.array(z.string()), []), 'Several files'),
  wait: field(z._default(z.boolean(), false), 'true: wait for the server; set it after an edit'),
  wait_timeout_ms: field(z._default(z.int().check(z.gte(1)), 10_000), 'Longest wait in milliseconds', {
    cap: 30_000,
  }),
  severity: field(z._default(z.enum(['any', ...lspSeverities]), 'any'), 'Only this severity'),
})

export const getDiagnostics = defineTool({
  name: 'get_diagnostics',
  about,
  input,
  example: { path: 'src/main.ts', wait: true, severity: 'error' },
  level: 'auto_read',
  offer: { lsp: 'needs' },
  access: ({ path, paths }) => ({
    scope: [...(path === undefined ? [] : [path]), ...paths].map((one) => ({
      kind: 'path',
      path: one,
      access: 'read',
    })),
  }),
  available: checkLspAvailable,
  async run({ path, paths, wait, wait_timeout_ms, severity }, ctx): Promise<ToolResult> {
    const named = [...new Set([...(path === undefined ? [] : [path]), ...paths])]
    if (named.length > maxFiles)
      throw new FailureError({ code: 'bad_args', message: `at most ${maxFiles} files in one call` })
    const files = named.map((name) => locateExisting(ctx, name).real)
    if (named.length === 0) {
      for (const file of requireLspServers(ctx).known().slice(0, maxFiles)) {
        if (await mayShowFile(file, ctx)) files.push(file)
      }
    }
    if (files.length === 0) {
      const data = { files: [], severity }
      return { text: 'no server has reported on any file yet; name one with path and set wait', data }
    }
    // A call that a user typed always waits, because its server has just started and no later call
    // could ask again.
    const isWaiting = wait || ctx.gate.isTyped === true
    const wish = { waitMs: isWaiting ? wait_timeout_ms : 0, ...(severity !== 'any' && { severity }) }
    return await reportDiagnostics(ctx, files, wish)
  },
})
