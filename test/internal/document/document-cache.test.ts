// A document is read once as long as its file stays the same.
import { statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readDocument } from '../../../internal/document/document.ts'
import { scratchWith } from '../../support/scratch.ts'

const options = { signal: new AbortController().signal }

test('returns the same document for an unchanged file, and another one after a change', async () => {
  const path = join(scratchWith({ 'a.html': '<p>first' }), 'a.html')
  const first = await readDocument(path, options)
  expect(await readDocument(path, options)).toBe(first)
  const { atime, mtime } = statSync(path)
  writeFileSync(path, '<p>other')
  utimesSync(path, atime, mtime)
  expect(await readDocument(path, options)).toMatchObject({ blocks: [{ text: 'other' }] })
})

test('reads documents again that exceed the size of the cache', async () => {
  const pages = Object.fromEntries(
    ['a', 'b', 'c'].map((name) => [`${name}.html`, `<p>${name.repeat(3_000_000)}`]),
  )
  const dir = scratchWith(pages)
  const read = (name: string) => readDocument(join(dir, `${name}.html`), options)
  const first = await read('a')
  await read('b')
  expect(await read('a')).toBe(first)
  await read('c')
  expect(await read('a')).toBe(first)
  expect(await read('b')).not.toBe(first)
})
