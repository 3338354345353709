import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
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
  for (const name of ['../secret', 'link', 'missing', '.', 'https://example.org/x', 'a\0b']) {
    expect([name, await read(name)]).toEqual([name, undefined])
  }
})
