// Records as JSON files: what others read of one that is there, absent, torn, or out of reach.
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readJsonRecord, writeJsonRecord } from '../../../../internal/base/files/json-record.ts'
import { scratch } from '../../../support/scratch.ts'

test('a record is replaced as a whole, and only its owner can read it', async () => {
  const path = join(scratch(), 'one.json')
  await writeJsonRecord(path, { name: 'a', list: [1, 2, 3] })
  await writeJsonRecord(path, { name: 'b' })
  expect(readJsonRecord(path)).toEqual({ name: 'b' })
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('returns undefined for a missing, empty or incomplete record', () => {
  const path = join(scratch(), 'one.json')
  expect(readJsonRecord(path)).toBeUndefined()
  for (const text of ['', '{"name":"a', '{} {}']) {
    writeFileSync(path, text)
    expect(readJsonRecord(path), text).toBeUndefined()
  }
})

test('reports an unreadable record instead of returning undefined', () => {
  const path = join(scratch(), 'one.json')
  mkdirSync(path)
  expect(() => readJsonRecord(path)).toThrow(/EISDIR/)
})
