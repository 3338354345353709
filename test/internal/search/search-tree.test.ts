// Where a search begins and what it leaves out.
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resolvePath } from '../../../internal/policy/paths/path-jail.ts'
import { compileGlob } from '../../../internal/search/glob/glob.ts'
import { admitsFile, treeAt, walkArgs } from '../../../internal/search/search-tree.ts'
import { plant } from '../../support/search.ts'

const dir = plant({ 'src/a.ts': '', '.ssh/key': '', '.git/HEAD': '', '.gitignore': '' })
const roots = { workspace: dir, added: [], protected: [] }
const at = (path: string) => treeAt(resolvePath(dir, roots, path), { hidden: false, guarded: true })

test('opens a directory or a file, and rejects missing paths and devices', () => {
  expect(at('.')).toMatchObject({ dir, prefix: '', guarded: true })
  expect(at('src')).toMatchObject({ dir: join(dir, 'src'), prefix: 'src/' })
  expect(at('src/a.ts')).toMatchObject({ dir: join(dir, 'src'), files: ['a.ts'], prefix: 'src/' })
  const failing = (code: string) => expect.objectContaining({ failure: expect.objectContaining({ code }) })
  expect(() => at('nowhere')).toThrow(failing('not_found'))
  symlinkSync('/dev/null', join(dir, 'null'))
  const device = resolvePath('/', { ...roots, workspace: '/' }, '/dev/null')
  expect(() => treeAt(device, { hidden: false, guarded: true })).toThrow(failing('not_a_directory'))
})

test('does not exclude a secret file that the caller names', () => {
  expect(at('.ssh')).toMatchObject({ guarded: false })
  expect(at('.ssh/key')).toMatchObject({ guarded: false, files: ['key'] })
})

test('applies the glob, dot files and secrets to a name in the last check', () => {
  const tree = { dir, top: dir, hidden: false, guarded: true, glob: compileGlob('*.ts', true) }
  expect(admitsFile(tree, 'a/b.ts')).toBe(true)
  for (const name of ['a.go', '.a.ts', '.x/a.ts', 'x/.y/a.ts'])
    expect(admitsFile(tree, name), name).toBe(false)
  expect(admitsFile({ ...tree, hidden: true }, '.x/a.ts')).toBe(true)
  const any = { dir, top: dir, hidden: false, guarded: true }
  // spelled so that ripgrep's globs do not see it
  for (const name of ['id_rsa.', 'a/id_rsa /x', 'id_rsa\xe2\x80\x8b'])
    expect(admitsFile(any, name), name).toBe(false)
  expect(admitsFile({ ...any, files: ['id_rsa.'] }, 'id_rsa.')).toBe(true)
})

test('ignore files above count within a repository; outside only those below the top', async () => {
  const { walk: inside } = await walkArgs({ dir: join(dir, 'src'), top: dir, hidden: false, guarded: false })
  expect(inside).not.toContain('--no-ignore-parent')
  const plain = plant({ '.gitignore': '', 'a/.ignore': '', 'a/b/c': '' })
  const { walk: outside } = await walkArgs({
    dir: join(plain, 'a/b'),
    top: join(plain, 'a'),
    hidden: false,
    guarded: false,
  })
  expect(outside).toContain('--no-ignore-parent')
  expect(outside.filter((arg) => arg.startsWith('--ignore-file'))).toEqual([
    `--ignore-file=${join(plain, 'a/.ignore')}`,
  ])
})
