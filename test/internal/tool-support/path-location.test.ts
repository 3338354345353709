// The second look at a path, at the moment of use.
import { readFileSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createCatalog } from '../../../internal/tool/catalog.ts'
import { toToolDescription as describeTool } from '../../../internal/tool/describe.ts'
import { invoke } from '../../../internal/tool/invoke.ts'
import type { Tool } from '../../../internal/tool/tool.ts'
import { locateExisting, locatePath, mayQuoteFile } from '../../../internal/tool-support/path-location.ts'
import { applyPatch } from '../../../internal/tools/files/apply_patch.ts'
import { createFile } from '../../../internal/tools/files/create_file.ts'
import { editFile } from '../../../internal/tools/files/edit_file.ts'
import { ctxIn } from '../../support/ctx.ts'
import { refusalOf } from '../../support/refusal.ts'
import { scratch, scratchWith } from '../../support/scratch.ts'

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
