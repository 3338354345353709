// Reports of language servers as a model reads them.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { LspReport, LspServers } from '../../../internal/tool/lsp.ts'
import {
  checkLspAvailable,
  reportDiagnostics,
  requireLspServers,
  shownPath,
} from '../../../internal/tool-support/lsp-diagnostics.ts'
import { ctxWith } from '../../support/ctx.ts'
import { scratch } from '../../support/scratch.ts'

/** Servers that have exactly this to say. */
function saying(reports: readonly Omit<LspReport, 'file'>[]): LspServers {
  return {
    usable: () => true,
    query: async () => ({ servers: [], hits: [], notes: [] }),
    diagnose: async (files) => files.map((file, i) => ({ file, ...(reports[i] as Omit<LspReport, 'file'>) })),
    known: () => [],
    edited: async () => [],
  }
}

const one = { line: 3, character: 5, severity: 'error', message: 'not\n  a number' } as const

const rows: [Omit<LspReport, 'file'>, string, string | undefined][] = [
  [
    { state: 'none', diagnostics: [] },
    'error unavailable: a.x: no language server is responsible',
    'unavailable',
  ],
  [{ state: 'failed', server: 's', diagnostics: [], why: 'it is gone' }, 'a.x: it is gone', 'unavailable'],
  [
    { state: 'timeout', server: 's', diagnostics: [] },
    's did not report on its present content within 5 ms',
    'timeout',
  ],
  [
    { state: 'pending', server: 's', diagnostics: [] },
    's has not reported on its present content; set wait',
    undefined,
  ],
  [
    { state: 'provisional', server: 's', diagnostics: [] },
    'none so far; s has sent a first empty list',
    undefined,
  ],
  [{ state: 'fresh', server: 's', diagnostics: [] }, 'a.x: no diagnostics', undefined],
  [
    {
      state: 'fresh',
      server: 's',
      diagnostics: [{ ...one, isNew: true, code: '7', source: 'tool' }],
      change: { added: 1, fixed: 2, unchanged: 0 },
    },
    'a.x: 1 error (1 new, 2 fixed, 0 unchanged)\na.x:4:6 error (new) not a number [tool 7]',
    undefined,
  ],
]

it.each(rows)('says %j', async (report, text, code) => {
  const cwd = scratch()
  const ctx = ctxWith({ lsp: saying([report]) }, { cwd })
  const result = await reportDiagnostics(ctx, [join(cwd, 'a.x')], { waitMs: 5 })
  expect(result.text).toContain(text)
  expect(result.failed?.code).toBe(code)
})

it('fails only if no file has fresh diagnostics, and filters them by severity', async () => {
  const cwd = scratch()
  const lsp = saying([
    { state: 'none', diagnostics: [] },
    { state: 'fresh', server: 's', diagnostics: [one] },
  ])
  const ctx = ctxWith({ lsp }, { cwd })
  const result = await reportDiagnostics(ctx, [join(cwd, 'a'), join(cwd, 'b')], {
    waitMs: 0,
    severity: 'hint',
  })
  expect(result.failed).toBe(undefined)
  expect(result.text).toContain('b: nothing of severity hint')
})

it('shows the whole path of a file outside of the workspace', () => {
  const cwd = scratch()
  const ctx = ctxWith({}, { cwd })
  expect(shownPath(join(cwd, 'in', 'a.ts'), ctx)).toBe('in/a.ts')
  expect(shownPath('/usr/lib/b.ts', ctx)).toBe('/usr/lib/b.ts')
  expect(shownPath('jdt://contents/c', ctx)).toBe('jdt://contents/c')
  expect(shownPath('/nul\0', ctx)).toBe('/nul\0')
})

it('reports that no diagnostics exist', () => {
  expect(checkLspAvailable(ctxWith())).toMatch(/turned off/)
  expect(() => requireLspServers(ctxWith())).toThrow(/turned off/)
})
