// The second look at a path, at the moment of use.
import { readFileSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, test } from 'vitest'
import type { PermissionRule } from '../../../internal/policy/rules/permission-rule.ts'
import { createCatalog } from '../../../internal/tool/catalog.ts'
import { toToolDescription as describeTool } from '../../../internal/tool/describe.ts'
import { invoke } from '../../../internal/tool/invoke.ts'
import type { Tool } from '../../../internal/tool/tool.ts'
import { locateExisting, locatePath, mayQuoteFile } from '../../../internal/tool-support/path-location.ts'
import { applyPatch } from '../../../internal/tools/files/apply_patch.ts'
import { createFile } from '../../../internal/tools/files/create_file.ts'
import { editFile } from '../../../internal/tools/files/edit_file.ts'
import { finder } from '../../../internal/tools/search/finder.ts'
import { grep } from '../../../internal/tools/search/grep.ts'
import { call, ctxIn, ctxWith } from '../../support/ctx.ts'
import { refusalOf } from '../../support/refusal.ts'
import { run } from '../../support/run.ts'
import { shareRows } from '../../support/sample.ts'
import { scratch, scratchWith } from '../../support/scratch.ts'
import { plant } from '../../support/search.ts'
import { policyOf } from '../policy/policies.ts'

it('returns the real path, or why it cannot be used', async () => {
  const dir = scratchWith({ 'a/f': '', 'keep/g': '' })
  symlinkSync('a', join(dir, 'link'))
  const plain = ctxIn(dir, scratch())
  const roots = { ...plain.policy.roots, protected: [join(dir, 'keep')] }
  const ctx = { ...plain, policy: { ...plain.policy, roots } }
  const look = async (path: string, access: 'read' | 'write' = 'write') => {
    let shown = ''
    const refused = await refusalOf(() => {
      shown = locatePath(ctx, path, access).shown
    })
    return refused?.code ?? shown
  }
  expect(await look('link/f')).toBe('a/f')
  expect(await look('a/new/deep')).toBe('a/new/deep')
  expect(await look(join(dir, 'a'))).toBe('a')
  expect(await look('../x')).toBe('outside_workspace')
  expect(await look('')).toBe('bad_args')
  expect(await look('a\0')).toBe('bad_args')
  expect(await look('keep/g')).toBe('protected_path')
  expect(await look('keep/g', 'read')).toBe('keep/g')
  expect(locateExisting(ctx, 'a/f').shown).toBe('a/f')
  expect((await refusalOf(() => locateExisting(ctx, 'a/new')))?.code).toBe('not_found')
})

it('rejects a directory that was replaced by a link after the first check', async () => {
  const dir = scratchWith({ 'in/f': '' })
  const other = scratchWith({ f: '' })
  const ctx = ctxIn(dir, scratch())
  expect(locatePath(ctx, 'in/f', 'write').shown).toBe('in/f')
  renameSync(join(dir, 'in'), join(dir, 'was'))
  symlinkSync(other, join(dir, 'in'))
  expect((await refusalOf(() => locatePath(ctx, 'in/f', 'write')))?.code).toBe('outside_workspace')
})

it('an error may quote a normal file, and a secret file only after a read', async () => {
  const dir = scratchWith({ f: '', '.env': '' })
  const ctx = ctxIn(dir, scratch())
  const open = (path: string) => mayQuoteFile(ctx, locatePath(ctx, path, 'read'))
  expect(open('f')).toBe(true)
  expect(open('.env')).toBe(false)
  ctx.seen?.set(join(dir, '.env'), 'read before')
  expect(open('.env')).toBe(true)
})

/** The tools that write, and what they would do to notes/x. */
const writes = [
  [createFile, { path: 'notes/x', content: 'new\n', overwrite: true }],
  [editFile, { path: 'notes/x', old_str: 'old', new_str: 'new' }],
  [applyPatch, { patch: '--- a/notes/x\n+++ b/notes/x\n@@ -1 +1 @@\n-old\n+new\n' }],
] as unknown as [Tool, Record<string, unknown>][]

it.each(writes)(
  'rejects a path whose directory was replaced while the user was asked',
  async (tool, args) => {
    for (const target of ['.git/hooks', 'src', '../out']) {
      const base = scratchWith({
        'ws/notes/x': 'old\n',
        'ws/.git/hooks/x': 'old\n',
        'ws/src/x': 'old\n',
        'out/x': 'old\n',
      })
      const dir = join(base, 'ws')
      const ctx = ctxIn(dir, scratch(), {
        gate: {
          ask: async () => {
            renameSync(join(dir, 'notes'), join(dir, 'was'))
            symlinkSync(target, join(dir, 'notes'))
            return { allow: true, why: 'test' }
          },
        },
      })
      const listed = { ...describeTool(tool, 'native'), load: async () => tool, hidden: undefined }
      const result = await invoke(createCatalog([listed]), ctx, { name: tool.name, args })
      expect(result.failed?.code, `${tool.name} into ${target}`).toMatch(/^(?:denied|outside_workspace)$/)
      for (const name of ['.git/hooks/x', 'src/x', '../out/x', 'was/x'])
        expect(readFileSync(join(dir, name), 'utf8')).toBe('old\n')
    }
  },
)

it('runs a call whose path still has the same target', async () => {
  for (const [tool, args] of writes) {
    const dir = scratchWith({ 'real/x': 'old\n' })
    symlinkSync('real', join(dir, 'notes'))
    const ctx = ctxIn(dir, scratch(), { gate: { ask: async () => ({ allow: true, why: 'test' }) } })
    const listed = { ...describeTool(tool, 'native'), load: async () => tool, hidden: undefined }
    const result = await invoke(createCatalog([listed]), ctx, { name: tool.name, args })
    expect(result.failed, tool.name).toBeUndefined()
    expect(readFileSync(join(dir, 'real/x'), 'utf8')).toBe('new\n')
  }
})

// Searches below a directory, which skip files that permission rules deny.

const dir = plant({
  'a.ts': 'needle open\n',
  'secret/b.ts': 'needle closed\n',
  'src/secret.ts': 'needle open\n',
})
const rules: readonly Omit<PermissionRule, 'action'>[] = [
  { tool: 'read', path: 'secret/*' },
  { tool: 'read', path: 'secret' },
  { tool: 'grep', path: '**/b.ts' },
  { tool: '*', path: `${dir}/secret/**` },
  { tool: 'look_at', path: 'SECRET/[!a]*' },
  { tool: 'read', args: { path: 'secret/*' } },
]

test.each(rules)('%o', async (rule) => {
  for (const action of shareRows(['deny', 'ask'] as const, rules.indexOf(rule), 2)) {
    const policy = policyOf(dir, { rules: [{ ...rule, action }] })
    const ctx = ctxWith({ processes: { run } }, { cwd: dir, policy })
    for (const path of ['.', 'secret', dir]) {
      const { text } = await call(grep, { pattern: 'needle', path }, ctx)
      expect(text).not.toContain('closed\n')
      expect(text).not.toMatch(/needle closed/)
      if (path !== 'secret') expect(text).toContain('needle open')
      const more = await call(grep, { pattern: 'needle', path, output: 'lines' }, ctx)
      expect(more.text).not.toMatch(/needle closed/)
    }
    for (const mode of ['text', 'passage', 'files']) {
      const { text } = await call(finder, { query: mode === 'files' ? 'b.ts' : 'needle closed', mode }, ctx)
      // lines in brackets repeat the question
      expect(text.replace(/^\[.*\]$/gm, ''), mode).not.toMatch(/needle closed/)
    }
  }
  const open = ctxWith(
    { processes: { run } },
    { cwd: dir, policy: policyOf(dir, { rules: [{ ...rule, action: 'allow' }] }) },
  )
  expect((await call(grep, { pattern: 'needle' }, open)).text).toContain('needle closed')
})
