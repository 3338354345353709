import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fileReaderBelow } from '../../../../internal/study/verify/source-reader.ts'
import { scratch } from '../../../support/scratch.ts'

it('reads below its root and nowhere else', async () => {
  const dir = scratch()
  const root = join(dir, 'root')
  mkdirSync(root)
  writeFileSync(join(root, 'a.md'), 'inside')
  writeFileSync(join(dir, 'secret'), 'outside')
  symlinkSync(join(dir, 'secret'), join(root, 'link'))
  const read = fileReaderBelow(root)
  expect((await read('a.md'))?.toString()).toBe('inside')
  execFileSync('mkfifo', [join(root, 'pipe')])
  for (const name of ['pipe', '../secret', 'link', 'missing', '.', 'https://example.org/x', 'a\0b']) {
    expect([name, await read(name)]).toEqual([name, undefined])
  }
})

it('takes documents that no text would be as large as', async () => {
  const root = scratch()
  for (const name of ['large.txt', 'large.pdf']) {
    writeFileSync(join(root, name), '')
    truncateSync(join(root, name), 9 << 20)
  }
  const read = fileReaderBelow(root)
  expect((await read('large.pdf'))?.length).toBe(9 << 20)
  expect(await read('large.txt')).toBeUndefined()
})
