// Identities from a memory of files: after every change they equal those that are read again.
import {
  appendFileSync,
  chmodSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type FileMemory, identifyFiles } from '../../../internal/proof/tree-state.ts'
import { repoWith } from '../../support/repo.ts'
import { untilOld } from '../../support/waiting.ts'

const names = ['a.txt', 'b.txt', 'c.txt', 'd.txt']

/** Changes of one file that a program could try to hide. */
const changes: [string, (path: string, other: string) => void][] = [
  [
    'other bytes of one size and time',
    (path) => {
      const { atime, mtime } = statSync(path)
      writeFileSync(path, readFileSync(path, 'utf8').replace('line', 'LINE'))
      utimesSync(path, atime, mtime)
    },
  ],
  ['more bytes', (path) => appendFileSync(path, 'more\n')],
  ['a mode', (path) => chmodSync(path, 0o755)],
  [
    'a link',
    (path, other) => {
      rmSync(path)
      symlinkSync(other, path)
    },
  ],
  ['another file', (path, other) => renameSync(other, path)],
  ['nothing', (path) => rmSync(path)],
]

it.each(changes)('sees %s in place of a file', async (_, change) => {
  const dir = repoWith(Object.fromEntries(names.map((name) => [name, `line ${name}\n`])))
  const memory: FileMemory = new Map()
  await untilOld(60, ...names.map((name) => join(dir, name)))
  const before = await identifyFiles(dir, names, memory)
  expect(memory.size).toBe(names.length)
  expect(await identifyFiles(dir, names, memory)).toBe(before)
  change(join(dir, 'b.txt'), join(dir, 'c.txt'))
  const after = await identifyFiles(dir, names, memory)
  expect(after).not.toBe(before)
  expect(after).toBe(await identifyFiles(dir, names))
})

it('reads a file again that could still change within one tick of the clock', async () => {
  const dir = repoWith({ 'a.txt': 'one\n' })
  const path = join(dir, 'a.txt')
  const memory: FileMemory = new Map()
  for (const text of ['two\n', 'six\n', 'ten\n']) {
    writeFileSync(path, text)
    expect(await identifyFiles(dir, ['a.txt'], memory)).toBe(await identifyFiles(dir, ['a.txt']))
  }
})
