// Files that an editor has open: what is read of them, and changes that go through it, all or none.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FailureError } from '../../../../internal/base/errors.ts'
import type { Ctx } from '../../../../internal/tool/ctx.ts'
import type { EditorFiles } from '../../../../internal/tool/editor-files.ts'
import { readEditorBuffer, startEditorSave } from '../../../../internal/tool-support/editor/editor-buffer.ts'
import { loadFile, saveChanges } from '../../../../internal/tool-support/file-edits.ts'
import { locatePath } from '../../../../internal/tool-support/path-location.ts'
import { ctxIn } from '../../../support/ctx.ts'
import { scratch, scratchWith } from '../../../support/scratch.ts'

/** Returns an editor with these buffers. Writing a path in `broken` fails. */
function editorWith(buffers: Map<string, string>, broken: readonly string[] = []): Required<EditorFiles> {
  return {
    read: async (path) => buffers.get(path),
    async write(path, text) {
      if (broken.includes(path)) throw new FailureError({ code: 'io', message: 'the editor is busy' })
      buffers.set(path, text)
    },
  }
}

const ctxWith = (dir: string, editor: EditorFiles): Ctx => ctxIn(dir, scratch(), { can: { editor } })

it('keeps the byte order mark and line ends of the disk if the editor buffer has none', async () => {
  const dir = scratchWith({})
  const cases: [disk: string, buffer: string, bytes: string][] = [
    ['\uFEFFa\r\nb\r\n', 'a\nb\n', '\uFEFFa\r\nb\r\n'],
    ['\uFEFFa\r\nb\r\n', 'a\nc\n', '\uFEFFa\r\nc\r\n'],
    ['a\nb\n', 'a\nb\n\n', 'a\nb\n\n'],
    ['a\r\nb\n', 'a\nc\n', 'a\nc\n'],
    ['a\0b', 'a', 'a\0b'],
  ]
  for (const [disk, buffer, bytes] of cases) {
    const ctx = ctxWith(dir, editorWith(new Map([['x', buffer]])))
    expect((await readEditorBuffer(ctx, 'x', Buffer.from(disk))).toString()).toBe(bytes)
  }
})

it('writes files through the editor, and removes files from the disk directly', async () => {
  const dir = scratchWith({ 'a.txt': 'disk\n', 'b.txt': 'gone\n' })
  const path = join(dir, 'a.txt')
  const buffers = new Map([[path, 'buffer\n']])
  const ctx = ctxWith(dir, editorWith(buffers))
  const file = await loadFile(ctx, locatePath(ctx, 'a.txt', 'write'))
  expect(file?.bytes.toString()).toBe('buffer\n')
  await saveChanges(ctx, [
    { path, bytes: Buffer.from('new\n'), expect: file?.print ?? '' },
    { path: join(dir, 'b.txt'), bytes: null },
  ])
  expect(buffers.get(path)).toBe('new\n')
  expect(readFileSync(path, 'utf8')).toBe('disk\n')
  expect(() => readFileSync(join(dir, 'b.txt'))).toThrow('ENOENT')
})

it('writes nothing when one file is no longer what was read', async () => {
  const dir = scratchWith({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
  const [a, b] = [join(dir, 'a.txt'), join(dir, 'b.txt')]
  const buffers = new Map([[b, 'b\n']])
  const ctx = ctxWith(dir, editorWith(buffers))
  const loaded = await loadFile(ctx, locatePath(ctx, 'b.txt', 'write'))
  buffers.set(b, 'typed\n')
  const changes = [
    { path: a, bytes: Buffer.from('x\n') },
    { path: b, bytes: Buffer.from('y\n'), expect: loaded?.print ?? '' },
  ]
  await expect(startEditorSave(ctx, changes)).rejects.toThrow('changed in the editor after it was read')
  await expect(saveChanges(ctx, changes)).rejects.toThrow('changed in the editor')
  expect([...buffers]).toEqual([[b, 'typed\n']])
  const made = { path: join(dir, 'new.txt'), bytes: Buffer.from('z\n'), expect: null }
  buffers.set(made.path, 'unsaved, and on no disk\n')
  await expect(saveChanges(ctx, [made])).rejects.toThrow('has come to exist in the editor')
})

it('restores the files written before the editor failed', async () => {
  const dir = scratchWith({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
  const [a, b] = [join(dir, 'a.txt'), join(dir, 'b.txt')]
  const buffers = new Map<string, string>()
  const ctx = ctxWith(dir, editorWith(buffers, [b]))
  const changes = [
    { path: a, bytes: Buffer.from('x\n') },
    { path: b, bytes: Buffer.from('y\n') },
  ]
  await expect(saveChanges(ctx, changes)).rejects.toThrow('the editor is busy; nothing was written')
  expect(buffers.get(a)).toBe('a\n')
})

it('restores the files written before the call was stopped', async () => {
  const dir = scratchWith({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
  const [a, b] = [join(dir, 'a.txt'), join(dir, 'b.txt')]
  const buffers = new Map<string, string>()
  const stop = new AbortController()
  const write: EditorFiles['write'] = async (path, text, signal) => {
    if (path === b) stop.abort(new Error('stopped'))
    signal.throwIfAborted()
    buffers.set(path, text)
  }
  const editor = { read: async (path: string) => buffers.get(path), write }
  const ctx = ctxIn(dir, scratch(), { can: { editor }, signal: stop.signal })
  const changes = [
    { path: a, bytes: Buffer.from('x\n') },
    { path: b, bytes: Buffer.from('y\n') },
  ]
  await expect(saveChanges(ctx, changes)).rejects.toThrow('stopped')
  expect(buffers.get(a)).toBe('a\n')
})
