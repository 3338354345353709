// Documents of a table for a worker that serves other machines: no path leads out of its root.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readTableDocument } from '../../../../internal/study/table/table-document.ts'

let base: string
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'anode-table-')))
  for (const name of ['root', 'rootless']) mkdirSync(join(base, name))
  for (const name of ['root/a.txt', 'rootless/b.txt', 'c.txt']) writeFileSync(join(base, name), 'A line.\n')
  symlinkSync(join(base, 'c.txt'), join(base, 'root', 'link.txt'))
  symlinkSync(join(base, 'root', 'a.txt'), join(base, 'root', 'inner.txt'))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const read = (path: string, isConfined: boolean) =>
  readTableDocument(join(base, 'root'), path, new AbortController().signal, isConfined)

it.each(['a.txt', './a.txt', 'inner.txt', '../root/a.txt'])('reads %s below the root', async (path) => {
  expect(await read(path, true)).toHaveProperty('blocks')
})

it.each(['../c.txt', '../rootless/b.txt', 'link.txt', '/etc/hostname'])(
  'reads %s only without the limit',
  async (path) => {
    expect(await read(path, true)).toEqual({ why: 'it is outside of the root' })
    expect(await read(path, false)).toHaveProperty('blocks')
  },
)
