// What a workspace brings along.
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serverCommands } from '../../../internal/lsp/config/program-search.ts'
import { readSuppliedFiles, suppliedNames } from '../../../internal/trust/supplied-files.ts'
import { folder, remove } from '../policy/policies.ts'

test('lists the files of a workspace in order, and marks a pipe as special', () => {
  const ws = folder('.anode/sub', '.agents', 'src')
  for (const name of ['anode.json', '.anode/b', '.anode/a', '.anode/sub/c', 'src/x'])
    writeFileSync(join(ws, name), name)
  execFileSync('mkfifo', [join(ws, '.anode/pipe')])
  const { files, digest } = readSuppliedFiles(ws)
  expect(Object.keys(files)).toEqual(['.anode/a', '.anode/b', '.anode/pipe', '.anode/sub/c', 'anode.json'])
  expect(files['.anode/pipe']).toBe('special')
  expect(digest).toMatch(/^[0-9a-f]{64}$/)
  expect(readSuppliedFiles(ws)).toEqual({ files, digest })
  remove(ws)
})

test('empty directories add no files and no digest', () => {
  const ws = folder('.anode/x', '.agents')
  expect(readSuppliedFiles(ws)).toEqual({ files: {}, digest: undefined })
  remove(ws)
})

/** Names and targets of links in `.anode`, each list different from all others. */
const linkSets: readonly (readonly [name: string, target: string][])[] = [
  [
    ['bar', 'u'],
    ['foo', 't'],
  ],
  [['bar', 'u none\n10:.anode/foo=link t']],
  [['bar', 'u\n']],
  [['bar', 'u']],
  [['bar', 'u\\n']],
  [['bar', 'u\\\n']],
]

test('no target of a link gives the digest of other files', () => {
  const digests = linkSets.map((links) => {
    const ws = folder('.anode')
    for (const [name, target] of links) symlinkSync(target, join(ws, '.anode', name))
    const { digest } = readSuppliedFiles(ws)
    remove(ws)
    return digest
  })
  expect(new Set(digests).size).toBe(linkSets.length)
})

test('rejects more than 64 MiB of files', () => {
  const ws = folder()
  mkdirSync(join(ws, '.anode'))
  writeFileSync(join(ws, '.anode/big'), Buffer.alloc(65 << 20))
  expect(() => readSuppliedFiles(ws)).toThrow('more than 64 MiB')
  remove(ws)
})

test('the list is sorted, and contains names of the root and language servers in node_modules', () => {
  expect([...suppliedNames].sort()).toEqual(suppliedNames)
  const nested = suppliedNames.filter((name) => name.startsWith('node_modules/'))
  expect(nested.sort()).toEqual(
    Object.values(serverCommands)
      .map((name) => `node_modules/.bin/${name}`)
      .sort(),
  )
})

test('detects a language server in node_modules and a change of its files', () => {
  const ws = folder('node_modules/.bin', 'node_modules/pyright')
  writeFileSync(join(ws, 'node_modules/pyright/index.js'), 'one')
  symlinkSync('../pyright/index.js', join(ws, 'node_modules/.bin/pyright-langserver'))
  writeFileSync(join(ws, 'node_modules/.bin/other'), 'x')
  const first = readSuppliedFiles(ws)
  expect(Object.keys(first.files)).toEqual(['node_modules/.bin/pyright-langserver'])
  writeFileSync(join(ws, 'node_modules/pyright/index.js'), 'two')
  expect(readSuppliedFiles(ws).digest).not.toBe(first.digest)
  remove(ws)
})
