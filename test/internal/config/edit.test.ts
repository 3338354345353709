// Dotted keys, and edits that leave the rest of a file unchanged.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { editConfig, splitKeyPath } from '../../../internal/config/edit.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'anode-edit-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

test.each([
  ['model', ['model']],
  ['providers.openai.model', ['providers', 'openai', 'model']],
  ['providers."my.host".baseUrl', ['providers', 'my.host', 'baseUrl']],
])('%s has the parts %j', (key, parts) => expect(splitKeyPath(key)).toEqual(parts))

test.each(['', '.', 'a.', '.a', 'a..b', 'a."b'])('rejects %j as a key', (key) => {
  expect(() => splitKeyPath(key)).toThrow(/unknown configuration key/)
})

test('makes a new file readable only for its owner, and keeps the mode of an existing file', async () => {
  const path = join(dir, 'new', 'config.json')
  await editConfig(path, 'model', 'a/b', {})
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ model: 'a/b' })
  const old = join(dir, 'old.json')
  writeFileSync(old, '{}', { mode: 0o644 })
  await editConfig(old, 'model', 'a/b', {})
  expect(statSync(old).mode & 0o777).toBe(0o644)
})

test('rejects the removal of an unknown key, unless the file contains it', async () => {
  const path = join(dir, 'config.json')
  writeFileSync(path, '{\n  "model": "a/b"\n}\n')
  await expect(editConfig(path, 'modle', undefined, {})).rejects.toThrow(
    /^unknown key modle, did you mean model/,
  )
  writeFileSync(path, '{\n  "model": "a/b",\n  "modle": "x"\n}\n')
  await expect(editConfig(path, 'model', 'c/d', {})).rejects.toThrow(/has errors already: unknown key modle/)
  await editConfig(path, 'modle', undefined, {})
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ model: 'a/b' })
})

test('removing a missing key changes nothing', async () => {
  const path = join(dir, 'config.json')
  writeFileSync(path, '{\n  // a\n  "model": "a/b"\n}\n')
  await editConfig(path, 'profile', undefined, {})
  expect(readFileSync(path, 'utf8')).toBe('{\n  // a\n  "model": "a/b"\n}\n')
})
