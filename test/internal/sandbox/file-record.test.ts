// The changes of a command, computed from the earlier state, with the file contents that git does not have.
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  compareFiles,
  createFileMemory,
  listFiles,
  recordFiles,
} from '../../../internal/sandbox/file-record.ts'
import { git } from '../../support/repo.ts'
import { scratch } from '../../support/scratch.ts'
import { untilOld } from '../../support/waiting.ts'

/** Creates a repository with a tracked file that git has read long ago. */
function folder(): { dir: string; put: (name: string, text: string) => void } {
  const dir = scratch()
  const put = (name: string, text: string) => {
    mkdirSync(join(dir, name, '..'), { recursive: true })
    writeFileSync(join(dir, name), text)
  }
  put('tracked', 'one\n')
  utimesSync(join(dir, 'tracked'), 1_000_000, 1_000_000.5)
  git(dir, 'init', '-q')
  git(dir, 'add', '-A')
  return { dir, put }
}

test('reports changed, created and removed files with their earlier state', () => {
  const { dir, put } = folder()
  for (const name of ['changed', 'removed', 'same', 'a/b']) put(name, `${name}\n`)
  put('large', 'x'.repeat((1 << 20) + 1))
  put('node_modules/p/index.js', 'left out')
  const memory = createFileMemory()
  const { kept } = memory
  const record = recordFiles([dir], [], memory)
  expect([...kept.keys()].map((path) => path.slice(dir.length + 1)).sort()).toEqual([
    ...['a/b', 'changed', 'removed', 'same'],
  ])
  put('changed', 'new\n')
  put('made', 'made\n')
  put('tracked', 'two\n')
  put('large', 'y')
  put('node_modules/p/index.js', 'changed')
  for (const name of ['removed', 'a/b']) rmSync(join(dir, name))
  const changes = compareFiles(record, listFiles([dir], [], memory), memory)
  const found = changes.map(({ path, before }) => {
    const from = before?.from
    return [path.slice(dir.length + 1), from instanceof Uint8Array ? Buffer.from(from).toString() : from]
  })
  expect(Object.fromEntries(found)).toEqual({
    ...{ changed: 'changed\n', removed: 'removed\n', 'a/b': 'a/b\n' },
    ...{ tracked: 'git', large: 'nothing', made: undefined },
  })
})

test('stores unchanged files once, and does not read excluded directories', () => {
  const { dir, put } = folder()
  put('own/state', 'x')
  put('file', 'x')
  const memory = createFileMemory()
  const { kept } = memory
  recordFiles([dir], [join(dir, 'own')], memory)
  const first = kept.get(join(dir, 'file'))
  expect([...kept.keys()]).toEqual([join(dir, 'file')])
  const again = recordFiles([dir], [join(dir, 'own')], memory)
  expect(kept.get(join(dir, 'file'))).toBe(first)
  expect(compareFiles(again, listFiles([dir], [join(dir, 'own')], memory), memory)).toEqual([])
})

test('lists a new file in a directory whose time a program has set back', async () => {
  const { dir, put } = folder()
  put('a/old', 'x')
  const time = new Date(1_000_000)
  utimesSync(join(dir, 'a'), time, time)
  await untilOld(150, join(dir, 'a'))
  const memory = createFileMemory()
  expect(listFiles([dir], [], memory).files.has(join(dir, 'a/old'))).toBe(true)
  put('a/new', 'x')
  utimesSync(join(dir, 'a'), time, time)
  expect(listFiles([dir], [], memory).files.has(join(dir, 'a/new'))).toBe(true)
})
