// Built-in files, found from the sources and from both locations of the bundle.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBuiltin } from '../../../internal/base/builtin.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'anode-builtin-'))
  mkdirSync(join(root, 'dist/chunk'), { recursive: true })
  mkdirSync(join(root, 'internal/base'), { recursive: true })
  writeFileSync(join(root, 'package.json'), '{}')
  writeFileSync(join(root, 'dist/profiles.json'), '[]')
})
afterAll(() => rmSync(root, { recursive: true }))

test.each([
  ['dist/anode.cjs', 'dist/profiles.json'],
  ['dist/chunk/a.mjs', 'dist/profiles.json'],
  ['internal/base/builtin.ts', undefined],
])('from %s', (file, json) => {
  expect(findBuiltin('profiles', pathToFileURL(join(root, file)).href)).toEqual({
    json: json && join(root, json),
    dir: join(root, 'profiles'),
  })
})

test('the directories of this package exist', () => {
  expect(findBuiltin('profiles').dir).toMatch(/\/profiles$/)
})
