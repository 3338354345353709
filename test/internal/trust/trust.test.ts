// Trust in the configuration of a workspace: granted for exactly these bytes, lost with any change.

import { createHash } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isTrusted } from '../../../internal/trust/is-trusted.ts'
import { grantTrust, readTrustState, revokeTrust } from '../../../internal/trust/trust.ts'
import { folder, remove } from '../policy/policies.ts'

let base = ''
let ws = ''
let data = ''
beforeEach(() => {
  base = folder('ws')
  ws = join(base, 'ws')
  data = join(base, 'data')
})
afterEach(() => remove(base))

const put = (name: string, text: string) => {
  mkdirSync(join(ws, name, '..'), { recursive: true })
  writeFileSync(join(ws, name), text)
}
/** Returns the state, and expects the same from the short and the full check. */
const state = async () => {
  const { state: long } = readTrustState(ws, data)
  expect(await isTrusted(ws, data)).toBe(long === 'trusted')
  return long
}

test('a workspace without configuration is untrusted, without a digest and without a data directory', async () => {
  expect(readTrustState(ws, data)).toEqual({
    state: 'untrusted',
    root: ws,
    files: [],
    digest: undefined,
    granted: undefined,
    differs: [],
  })
  expect(readdirSync(base)).toEqual(['ws'])
})

test('trust in an empty configuration ends when the workspace gets its first file', async () => {
  await grantTrust(ws, data)
  expect(await state()).toBe('trusted')
  put('anode.json', '{}')
  expect(readTrustState(ws, data)).toMatchObject({ state: 'changed', differs: ['anode.json'] })
})

test('grants trust, keeps it, loses it after a change, grants it again, and revokes it', async () => {
  put('anode.json', '{"a":1}')
  put('.anode/profiles/x.md', 'x')
  expect(readTrustState(ws, data)).toMatchObject({
    state: 'untrusted',
    files: ['.anode/profiles/x.md', 'anode.json'],
  })
  const given = await grantTrust(ws, data)
  expect(given).toMatchObject({ state: 'trusted', root: ws, differs: [] })
  expect(readTrustState(ws, data)).toEqual(given)
  put('anode.json', '{"a":2}')
  expect(readTrustState(ws, data)).toMatchObject({
    state: 'changed',
    differs: ['anode.json'],
    granted: given.granted,
  })
  put('anode.json', '{"a":1}')
  expect(await state()).toBe('trusted')
  put('.anode/hooks.json', '[]')
  expect(readTrustState(ws, data).differs).toEqual(['.anode/hooks.json'])
  await grantTrust(ws, data)
  rmSync(join(ws, '.anode/profiles/x.md'))
  expect(readTrustState(ws, data).differs).toEqual(['.anode/profiles/x.md'])
  await grantTrust(ws, data)
  expect(revokeTrust(ws, data)).toBe(true)
  expect(await state()).toBe('untrusted')
  expect(revokeTrust(ws, data)).toBe(false)
})

test.each([
  'anode.json',
  '.mcp.json',
  '.lsp.json',
  '.anode/a/b/c',
  '.agents/checks/x.md',
  '.agents/skills/s/SKILL.md',
])('%s counts', async (name) => {
  await grantTrust(ws, data)
  put(name, 'x')
  expect(await state()).toBe('changed')
})

test('other files of the workspace do not affect trust', async () => {
  await grantTrust(ws, data)
  put('package.json', '{}')
  put('sub/anode.json', '{}')
  put('sub/.anode/x', '')
  expect(await state()).toBe('trusted')
})

test('swapping the contents of two files changes the digest', async () => {
  put('.anode/a', 'one')
  put('.anode/b', 'two')
  const { digest } = await grantTrust(ws, data)
  put('.anode/a', 'two')
  put('.anode/b', 'one')
  expect(readTrustState(ws, data)).toMatchObject({ state: 'changed', differs: ['.anode/a', '.anode/b'] })
  expect(readTrustState(ws, data).digest).not.toBe(digest)
})

test('trusts links by their target and its contents, and never targets outside', async () => {
  put('inside', 'one')
  mkdirSync(join(ws, 'folder'))
  put('folder/hook', 'one')
  mkdirSync(join(ws, '.anode'))
  symlinkSync('../inside', join(ws, '.anode/link'))
  symlinkSync('../folder', join(ws, '.anode/folder'))
  symlinkSync('nowhere', join(ws, '.anode/dangling'))
  symlinkSync('.', join(ws, '.anode/self'))
  await expect(grantTrust(ws, data)).rejects.toThrow(/ELOOP|entries/)
  rmSync(join(ws, '.anode/self'))
  await grantTrust(ws, data)
  put('inside', 'two')
  expect(readTrustState(ws, data).differs).toEqual(['.anode/link'])
  await grantTrust(ws, data)
  put('folder/hook', 'two')
  expect(readTrustState(ws, data).differs).toEqual(['.anode/folder/hook'])
  await grantTrust(ws, data)
  writeFileSync(join(ws, '.anode/nowhere'), '')
  expect(readTrustState(ws, data).differs).toEqual(['.anode/dangling', '.anode/nowhere'])
  await grantTrust(ws, data)
  writeFileSync(join(base, 'outside'), 'one')
  for (const target of ['../../outside', '/dev/zero', '../..']) {
    symlinkSync(target, join(ws, '.anode/out'))
    expect(await isTrusted(ws, data)).toBe(false)
    await expect(grantTrust(ws, data)).rejects.toThrow(/not a regular file|entries/)
    rmSync(join(ws, '.anode/out'))
  }
})

test('the record is one private, complete file with the root in its name', async () => {
  put('anode.json', '{}')
  await grantTrust(ws, data)
  const name = `${createHash('sha256').update(ws).digest('hex')}.json`
  expect(readdirSync(join(data, 'trust'))).toEqual([name])
  expect(statSync(join(data, 'trust', name)).mode & 0o777).toBe(0o600)
  expect(statSync(join(data, 'trust')).mode & 0o777).toBe(0o700)
  expect(JSON.parse(readFileSync(join(data, 'trust', name), 'utf8'))).toMatchObject({ root: ws })
})

test('a copied record does not trust another root', async () => {
  put('anode.json', '{}')
  await grantTrust(ws, data)
  const other = join(base, 'other')
  renameSync(ws, other)
  expect(readTrustState(other, data).state).toBe('untrusted')
  const [name] = readdirSync(join(data, 'trust'))
  const copied = join(data, 'trust', `${createHash('sha256').update(other).digest('hex')}.json`)
  renameSync(join(data, 'trust', name as string), copied)
  expect(readTrustState(other, data).state).toBe('untrusted')
})

test('the same workspace under another name is the same', async () => {
  put('anode.json', '{}')
  symlinkSync('ws', join(base, 'alias'))
  await grantTrust(join(base, 'alias'), data)
  expect(await state()).toBe('trusted')
  rmSync(ws, { recursive: true })
  expect(revokeTrust(ws, data)).toBe(true)
})

test('grants trust only to the checked contents', async () => {
  put('anode.json', 'seen')
  const { digest } = readTrustState(ws, data)
  put('anode.json', 'swapped')
  await expect(grantTrust(ws, data, digest)).rejects.toThrow('changed while you looked')
  expect(await state()).toBe('untrusted')
})

test.each(['', '{', '[]', 'null', '{"root":"/x"}', '{"root":1}'])('ignores a record of %j', async (text) => {
  put('anode.json', '{}')
  await grantTrust(ws, data)
  const [name] = readdirSync(join(data, 'trust'))
  writeFileSync(join(data, 'trust', name as string), text)
  let found: string
  try {
    found = await state()
  } catch (error) {
    found = (error as Error).name
  }
  expect(['untrusted', 'UserError']).toContain(found)
})

test('does not trust contents that cannot be read', async () => {
  mkdirSync(join(ws, '.anode'))
  for (let i = 0; i < 5_100; i++) writeFileSync(join(ws, '.anode', `f${i}`), '')
  await expect(grantTrust(ws, data)).rejects.toThrow('more than 5000 entries')
  if (process.getuid?.() === 0) return
  rmSync(join(ws, '.anode'), { recursive: true })
  put('.anode/x', '')
  chmodSync(join(ws, '.anode/x'), 0)
  await expect(grantTrust(ws, data)).rejects.toThrow('cannot be read')
})
