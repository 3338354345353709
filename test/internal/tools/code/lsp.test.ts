// The tools lsp and get_diagnostics over a real server, and the edit tools that tell it what they wrote.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FailureError } from '../../../../internal/base/errors.ts'
import type { LspServers, lspOperations } from '../../../../internal/tool/lsp.ts'
import { getDiagnostics } from '../../../../internal/tools/code/get_diagnostics.ts'
import { lsp } from '../../../../internal/tools/code/lsp.ts'
import { createFile } from '../../../../internal/tools/files/create_file.ts'
import { editFile } from '../../../../internal/tools/files/edit_file.ts'
import { finder } from '../../../../internal/tools/search/finder.ts'
import { call, ctxIn } from '../../../support/ctx.ts'
import { realEntry, serve } from '../../../support/language-servers.ts'
import { run } from '../../../support/run.ts'
import { scratch, scratchWith } from '../../../support/scratch.ts'

const files = {
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "types": [] } }',
  'src/sum.ts': 'export function sum(a: number, b: number): number {\n  return a + b\n}\n',
  'src/use.ts': "import { sum } from './sum'\n\nconst three: number = sum(1, 2)\nconsole.log(three)\n",
}

function start() {
  const dir = scratchWith(files)
  const servers = serve(dir, [realEntry('typescript')], { editMs: 20_000 })
  return { dir, ctx: ctxIn(dir, scratch(), { can: { lsp: { ...servers, usable: () => true } } }) }
}

describe('lsp', { timeout: 60_000 }, () => {
  it('returns positions and their lines', async () => {
    const { ctx } = start()
    const at = { path: 'src/sum.ts', line_number: 1, column: 17 }
    const found = await call(lsp, { operation: 'findReferences', ...at }, ctx)
    expect(found.text).toBe(
      "src/use.ts:1:10  import { sum } from './sum'\nsrc/use.ts:3:23  const three: number = sum(1, 2)",
    )
    const few = await call(lsp, { operation: 'findReferences', ...at, limit: 1 }, ctx)
    expect(few.text).toContain('[1 more result: raise limit')
    const hover = await call(lsp, { operation: 'hover', ...at }, ctx)
    expect(hover.text).toContain('function sum(a: number, b: number): number')
    const symbols = await call(lsp, { operation: 'documentSymbol', path: 'src/sum.ts' }, ctx)
    expect(symbols.text).toBe(
      'src/sum.ts:1:17  function sum  export function sum(a: number, b: number): number {',
    )
    const missed = await call(lsp, { operation: 'hover', path: 'src/use.ts', line_number: 2, column: 1 }, ctx)
    expect(missed.text).toContain('nothing found by typescript\nline 2 is: \ncolumn 1 must be on a name')
    const clean = await call(lsp, { operation: 'diagnostics', path: 'src/use.ts' }, ctx)
    expect(clean.text).toBe('src/use.ts: no diagnostics')
  })

  /** Per operation: what to ask, and the places of the answer as `read` shows them. */
  const table: Readonly<Record<(typeof lspOperations)[number], [object, readonly string[]]>> = {
    goToDefinition: [{ path: 'c.ts', line_number: 7, column: 10 }, ['c.ts:4:17']],
    findReferences: [{ path: 'c.ts', line_number: 4, column: 17 }, ['c.ts:7:10']],
    hover: [{ path: 'c.ts', line_number: 4, column: 18 }, []],
    documentSymbol: [{ path: 'c.ts' }, ['c.ts:1:18', 'c.ts:2:14', 'c.ts:4:17', 'c.ts:6:17']],
    workspaceSymbol: [{ query: 'outer' }, ['c.ts:6:1']],
    goToImplementation: [{ path: 'c.ts', line_number: 1, column: 18 }, ['c.ts:2:14']],
    diagnostics: [{ path: 'c.ts' }, ['c.ts:9:7']],
    prepareCallHierarchy: [{ path: 'c.ts', line_number: 4, column: 17 }, ['c.ts:4:17']],
    incomingCalls: [{ path: 'c.ts', line_number: 4, column: 17 }, ['c.ts:7:10']],
    outgoingCalls: [{ path: 'c.ts', line_number: 6, column: 17 }, ['c.ts:4:17']],
  }
  const source = [
    'export interface Shape { area: number }',
    'export class Square implements Shape { area = 1 }',
    '// 𝒳 comes before the names below',
    'export function inner(): number { return 1 }',
    '',
    'export function outer(): number {',
    '  return inner()',
    '}',
    "const wrong: number = 'text'",
    '',
  ].join('\n')

  it('counts positions of every operation from 1 in the text, and from 0 in the data', async () => {
    const dir = scratchWith({ 'tsconfig.json': files['tsconfig.json'], 'c.ts': source })
    const servers = serve(dir, [realEntry('typescript')], { editMs: 20_000 })
    const ctx = ctxIn(dir, scratch(), { can: { lsp: { ...servers, usable: () => true } } })
    // so that a slow start is not taken for a slow answer
    await call(getDiagnostics, { path: 'c.ts', wait: true, wait_timeout_ms: 30_000 }, ctx)
    for (const [operation, [place, shown]] of Object.entries(table)) {
      const answer = await call(lsp, { operation, ...place }, ctx)
      const rowsOfText = [...answer.text.matchAll(/^\s*(c\.ts:\d+:\d+)/gm)].map(([, one]) => one ?? '')
      const places = [...new Set(rowsOfText)]
      expect(places.filter((one) => shown.includes(one)).sort(), `${operation}: ${answer.text}`).toEqual(
        shown,
      )
      const { results = [] } = answer.data as { results?: { line: number; character: number }[] }
      const rows = results.map(({ line, character }) => `c.ts:${line + 1}:${character + 1}`)
      if (results.length > 0) expect(rows).toEqual(places)
      if (!('line_number' in place)) continue
      // the form of the protocol asks the same question, and the result says which line was meant
      const { line_number, column, path } = place as { line_number: number; column: number; path: string }
      const zero = await call(lsp, { operation, path, line: line_number - 1, character: column - 1 }, ctx)
      const meant = `asked about line ${line_number}, column ${column} of read`
      expect(zero.text).toBe(`${answer.text}\n[line and character count from 0: ${meant}]`)
      expect(zero.data).toEqual(answer.data)
    }
  })

  it('gives finder its symbols, with a note where it fails', async () => {
    const { ctx } = start()
    const symbols = { mode: 'symbols', query: 'sum' }
    const using = { ...ctx, can: { ...ctx.can, processes: { run } } }
    // finder waits for a server that is up, not for its start
    await call(lsp, { operation: 'documentSymbol', path: 'src/sum.ts' }, ctx)
    const found = await call(finder, symbols, using)
    expect(found.data).toMatchObject({
      engine: expect.stringMatching(/^lsp\+/),
      results: [{ path: 'src/sum.ts', line: 1, name: 'sum', kind: 'function' }],
    })
    const query = async () => {
      throw new FailureError({ code: 'unavailable', message: 'it has ended' })
    }
    const failing = { ...ctx.can, processes: { run }, lsp: { ...(ctx.can.lsp as LspServers), query } }
    const without = await call(finder, symbols, { ...ctx, can: failing })
    expect(without.text).toContain('[language server: it has ended]')
    expect(without.data).toMatchObject({ results: [{ path: 'src/sum.ts' }] })
  })

  it('shows positions outside of the workspace without reading their files', async () => {
    const { ctx } = start()
    const found = await call(
      lsp,
      { operation: 'goToDefinition', path: 'src/use.ts', line_number: 4, column: 9 },
      ctx,
    )
    const [line = ''] = found.text.split('\n')
    expect(line).toMatch(/^\/.*\/lib\.dom\.d\.ts:\d+:\d+$/)
  })

  it.each([
    [{ operation: 'hover', path: 'src/sum.ts' }, 'bad_args', 'hover needs `line_number` and column'],
    [{ operation: 'hover' }, 'bad_args', 'hover needs path'],
    [{ operation: 'hover', path: 'src/sum.ts', line: 99, character: 0 }, 'bad_args', 'line 100 not found'],
    [{ operation: 'hover', path: 'src/sum.ts', line_number: 5, column: 1 }, 'bad_args', 'line 5 not found'],
    [
      { operation: 'hover', path: 'src/sum.ts', line_number: 1, line: 1, column: 1 },
      'bad_args',
      'is not line 1, which counts from 0',
    ],
    [{ operation: 'documentSymbol', path: '../x.ts' }, 'outside_workspace', 'outside of the workspace'],
    [{ operation: 'documentSymbol', path: 'src/gone.ts' }, 'not_found', 'does not exist'],
    [{ operation: 'documentSymbol', path: 'tsconfig.json' }, 'unavailable', 'no language server'],
  ])('refuses %j', async (args, code, text) => {
    const { ctx } = start()
    const refused = await call(lsp, args, ctx)
    expect(refused.failed?.code).toBe(code)
    expect(refused.text).toContain(text)
  })
})

describe('get_diagnostics', { timeout: 60_000 }, () => {
  it('waits for the diagnostics of the content after an edit', async () => {
    const { ctx, dir } = start()
    const before = await call(getDiagnostics, { path: 'src/use.ts' }, ctx)
    // a server that is quick has its word already
    expect(before.text).toMatch(/^src\/use\.ts: (no diagnostics$|none so far;|.*; set wait$)/)
    const clean = await call(getDiagnostics, { path: 'src/use.ts', wait: true, wait_timeout_ms: 30_000 }, ctx)
    expect(clean.text).toBe('src/use.ts: no diagnostics')

    const edited = await call(
      editFile,
      { path: 'src/use.ts', old_str: 'sum(1, 2)', new_str: "sum(1, 'two')" },
      ctx,
    )
    expect(edited.text).toContain(
      'typescript: src/use.ts: 1 new; first src/use.ts:3:30 error Argument of type',
    )
    const broken = await call(getDiagnostics, { path: 'src/use.ts', wait: true }, ctx)
    expect(broken.text).toContain('src/use.ts: 1 error (1 new, 0 fixed, 0 unchanged)')
    expect(broken.text).toContain("src/use.ts:3:30 error (new) Argument of type 'string'")

    const overwritten = { path: 'src/use.ts', content: files['src/use.ts'], overwrite: true }
    expect((await call(createFile, overwritten, ctx)).text).toContain(
      'typescript: src/use.ts: 1 fixed, none new',
    )
    expect(readFileSync(join(dir, 'src/use.ts'), 'utf8')).toBe(files['src/use.ts'])
    const all = await call(getDiagnostics, {}, ctx)
    expect(all.text).toContain('src/use.ts: no diagnostics (0 new, 1 fixed, 0 unchanged)')
  })

  it('rejects a missing file and a file without a server', async () => {
    const { ctx } = start()
    expect((await call(getDiagnostics, { paths: ['gone.ts'] }, ctx)).failed?.code).toBe('not_found')
    expect((await call(getDiagnostics, { path: 'tsconfig.json', wait: true }, ctx)).failed?.code).toBe(
      'unavailable',
    )
    expect((await call(getDiagnostics, {}, ctx)).text).toContain('no server has reported')
  })
})
