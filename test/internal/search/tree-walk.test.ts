// The walk without ripgrep; its agreement with ripgrep is shown in against-ripgrep.test.ts.
import { chmodSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { walkTree } from '../../../internal/search/tree-walk.ts'
import { plant } from '../../support/search.ts'

const none = new AbortController().signal

async function walked(dir: string, rest: object = {}) {
  const names: string[] = []
  const tree = { dir, top: dir, hidden: false, guarded: true, ...rest }
  const result = await walkTree(tree, { signal: none, timeoutMs: 10_000 }, (name) => names.push(name))
  return { names, ...result }
}

test('lists files in byte order, and skips links and secrets', async () => {
  const dir = plant({ 'b/x': '', 'b.c': '', 'a/z': '', id_rsa: '', 'a/.env': '', '.ssh/config': '' })
  symlinkSync(join(dir, 'a'), join(dir, 'link'))
  symlinkSync('/etc/passwd', join(dir, 'passwd'))
  expect(await walked(dir)).toEqual({
    names: ['a/z', 'b.c', 'b/x'],
    skipped: 2,
    unreadable: 0,
    ended: undefined,
  })
})

test('a nested repository uses only its own .gitignore', async () => {
  const dir = plant({
    '.gitignore': '*.log',
    'a.log': '',
    'sub/.git/HEAD': '',
    'sub/b.log': '',
    'sub/.ignore': '',
    c: '',
  })
  expect((await walked(dir)).names).toEqual(['c', 'sub/b.log'])
})

test('applies ignore files of parent directories up to the repository, or up to the top directory', async () => {
  const repo = plant({
    '.git/HEAD': '',
    '.gitignore': '*.log\n/a/b/only\n',
    'a/b/x.log': '',
    'a/b/only': '',
    'a/b/y': '',
  })
  expect((await walked(join(repo, 'a/b'))).names).toEqual(['y'])
  const plain = plant({ '.gitignore': '*', 'a/.gitignore': '*.log', 'a/b/x.log': '', 'a/b/y': '' })
  expect((await walked(join(plain, 'a/b'), { top: join(plain, 'a') })).names).toEqual(['y'])
})

test('a folder that cannot be read is counted', async () => {
  const dir = plant({ 'a/x': '', b: '' })
  chmodSync(join(dir, 'a'), 0)
  const { names, unreadable } = await walked(dir)
  chmodSync(join(dir, 'a'), 0o755)
  // root reads everything
  if (process.getuid?.() === 0) expect(names).toEqual(['a/x', 'b'])
  else expect({ names, unreadable }).toEqual({ names: ['b'], unreadable: 1 })
})

test('stops on a cancel and on a timeout', async () => {
  const dir = plant({ a: '' })
  const tree = { dir, top: dir, hidden: false, guarded: false }
  const stop = AbortSignal.abort()
  expect((await walkTree(tree, { signal: stop, timeoutMs: 1_000 }, () => undefined)).ended).toBe('cancelled')
  expect((await walkTree(tree, { signal: none, timeoutMs: -1 }, () => undefined)).ended).toBe('timeout')
})
