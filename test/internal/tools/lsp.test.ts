// The tools lsp and get_diagnostics over a real server, and the edit tools that tell it what they wrote.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FailureError } from '../../../internal/base/errors.ts'
import type { LspServers } from '../../../internal/tool/lsp.ts'
import { createFile } from '../../../internal/tools/create_file.ts'
import { editFile } from '../../../internal/tools/edit_file.ts'
import { finder } from '../../../internal/tools/finder.ts'
import { getDiagnostics } from '../../../internal/tools/get_diagnostics.ts'
import { lsp } from '../../../internal/tools/lsp.ts'
import { call, ctxIn } from '../../support/ctx.ts'
import { realEntry, serve } from '../../support/language-servers.ts'
import { run } from '../../support/run.ts'
import { scratch, scratchWith } from '../../support/scratch.ts'

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
  it('answers with places and their lines', async () => {
    const { ctx } = start()
    const at = { path: 'src/sum.ts', line: 0, character: 16 }
    const found = await call(lsp, { operation: 'findReferences', ...at }, ctx)
    expect(found.text).toBe(
      "src/use.ts:0:9  import { sum } from './sum'\nsrc/use.ts:2:22  const three: number = sum(1, 2)",
    )
    const few = await call(lsp, { operation: 'findReferences', ...at, limit: 1 }, ctx)
    expect(few.text).toContain('[1 more left out: raise limit')
    const hover = await call(lsp, { operation: 'hover', ...at }, ctx)
    expect(hover.text).toContain('function sum(a: number, b: number): number')
    const symbols = await call(lsp, { operation: 'documentSymbol', path: 'src/sum.ts' }, ctx)
    expect(symbols.text).toBe(
      'src/sum.ts:0:16  function sum  export function sum(a: number, b: number): number {',
    )
    const missed = await call(lsp, { operation: 'hover', path: 'src/use.ts', line: 1, character: 0 }, ctx)
    expect(missed.text).toContain('nothing found by typescript\nthe line asked about holds:')
    const clean = await call(lsp, { operation: 'diagnostics', path: 'src/use.ts' }, ctx)
    expect(clean.text).toBe('src/use.ts: no diagnostics')
  })

  it('gives finder its symbols, with a note where it fails', async () => {
    const { ctx } = start()
    const symbols = { mode: 'symbols', query: 'sum' }
    const using = { ...ctx, can: { ...ctx.can, run } }
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
    const failing = { ...ctx.can, run, lsp: { ...(ctx.can.lsp as LspServers), query } }
    const without = await call(finder, symbols, { ...ctx, can: failing })
    expect(without.text).toContain('[language server: it has ended]')
    expect(without.data).toMatchObject({ results: [{ path: 'src/sum.ts' }] })
  })

  it('shows places outside of the workspace without reading them', async () => {
    const { ctx } = start()
    const found = await call(
      lsp,
      { operation: 'goToDefinition', path: 'src/use.ts', line: 3, character: 8 },
      ctx,
    )
    const [line = ''] = found.text.split('\n')
    expect(line).toMatch(/^\/.*\/lib\.dom\.d\.ts:\d+:\d+$/)
  })

  it.each([
    [{ operation: 'hover', path: 'src/sum.ts' }, 'bad_args', 'hover needs line and character'],
    [{ operation: 'hover' }, 'bad_args', 'hover needs path'],
    [{ operation: 'hover', path: 'src/sum.ts', line: 99, character: 0 }, 'bad_args', 'there is no line 99'],
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
  it('waits for those of the content that an edit has made', async () => {
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
    expect(edited.text).toContain('typescript: src/use.ts: 1 new; first 2:29 error Argument of type')
    const broken = await call(getDiagnostics, { path: 'src/use.ts', wait: true }, ctx)
    expect(broken.text).toContain('src/use.ts: 1 error (1 new, 0 fixed, 0 unchanged)')
    expect(broken.text).toContain("src/use.ts:2:29 error (new) Argument of type 'string'")

    const overwritten = { path: 'src/use.ts', content: files['src/use.ts'], overwrite: true }
    expect((await call(createFile, overwritten, ctx)).text).toContain(
      'typescript: src/use.ts: 1 fixed, none new',
    )
    expect(readFileSync(join(dir, 'src/use.ts'), 'utf8')).toBe(files['src/use.ts'])
    const all = await call(getDiagnostics, {}, ctx)
    expect(all.text).toContain('src/use.ts: no diagnostics (0 new, 1 fixed, 0 unchanged)')
  })

  it('refuses what is not there', async () => {
    const { ctx } = start()
    expect((await call(getDiagnostics, { paths: ['gone.ts'] }, ctx)).failed?.code).toBe('not_found')
    expect((await call(getDiagnostics, { path: 'tsconfig.json', wait: true }, ctx)).failed?.code).toBe(
      'unavailable',
    )
    expect((await call(getDiagnostics, {}, ctx)).text).toContain('no server has reported')
  })
})
