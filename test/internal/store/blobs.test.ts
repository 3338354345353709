// Blobs as files: whole or absent, nothing left over, damage noticed.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBlobs } from '../../../internal/store/blobs.ts'
import { failureOf } from './task/contract.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'anode-blobs-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))
const fresh = () => createBlobs(join(dir, 'blob'), Date.now)
const bytes = (text: string) => new TextEncoder().encode(text)

test('stores a blob as one file that is named by its hash', () => {
  const hash = fresh().put(bytes('hello'))
  expect(readdirSync(join(dir, 'blob')).sort()).toEqual([hash, 'tmp'].sort())
  expect(readdirSync(join(dir, 'blob', 'tmp'))).toEqual([])
})

test('sweep removes files of ended writers, and keeps files of running writers', () => {
  const tmp = join(dir, 'blob', 'tmp')
  fresh().sweep()
  mkdirSync(tmp, { recursive: true })
  const names = ['999999999-x', `${process.ppid}-x`, `${process.ppid}-old`, 'odd']
  for (const name of names) writeFileSync(join(tmp, name), 'x')
  utimesSync(join(tmp, names[2] as string), 1, 1)
  fresh().sweep()
  expect(names.map((name) => existsSync(join(tmp, name)))).toEqual([false, true, false, false])
})

test('put replaces a file of the wrong length, and get rejects changed content', () => {
  const blobs = fresh()
  const hash = blobs.put(bytes('content'))
  writeFileSync(join(dir, 'blob', hash), 'con')
  expect(failureOf(() => blobs.get(hash))).toMatchObject({
    code: 'io',
    detail: { path: join(dir, 'blob', hash) },
  })
  expect(blobs.put(bytes('content'))).toBe(hash)
  expect(blobs.get(hash)).toEqual(Buffer.from('content'))
})

test('drop removes a blob only if it was not stored recently', () => {
  const blobs = fresh()
  const hash = blobs.put(bytes('x'))
  expect(blobs.drop(hash)).toBe(false)
  expect(blobs.get(hash)).toEqual(Buffer.from('x'))
  utimesSync(join(dir, 'blob', hash), 1, 1)
  blobs.put(bytes('x'))
  expect(blobs.drop(hash)).toBe(false)
  expect(blobs.get(hash)).toEqual(Buffer.from('x'))
  utimesSync(join(dir, 'blob', hash), 1, 1)
  expect([blobs.drop(hash), blobs.drop(hash)]).toEqual([true, true])
  expect(blobs.get(hash)).toBeUndefined()
})

test('reports a directory that cannot be written', () => {
  writeFileSync(join(dir, 'blob'), 'a file in the way')
  expect(failureOf(() => fresh().put(bytes('x')))).toMatchObject({ code: 'io' })
  expect(failureOf(() => fresh().get('0'.repeat(64)))).toMatchObject({ code: 'io' })
})
