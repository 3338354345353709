// The place of the database: made private, network file systems recognised.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { networkFileSystem, prepareDataDir } from '../../../internal/store/sqlite.ts'

test('creates a missing directory as private, and keeps the modes of an existing directory and its file', () => {
  const root = mkdtempSync(join(tmpdir(), 'anode-place-'))
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
  try {
    const file = prepareDataDir(join(root, 'a', 'b'))
    expect(file).toBe(join(root, 'a', 'b', 'anode.db'))
    expect([mode(join(root, 'a')), mode(join(root, 'a', 'b')), mode(file)]).toEqual(['700', '700', '600'])

    mkdirSync(join(root, 'own'))
    chmodSync(join(root, 'own'), 0o750)
    writeFileSync(join(root, 'own', 'anode.db'), 'content')
    chmodSync(join(root, 'own', 'anode.db'), 0o640)
    prepareDataDir(join(root, 'own'))
    expect([mode(join(root, 'own')), mode(join(root, 'own', 'anode.db'))]).toEqual(['750', '640'])
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})

test.runIf(process.platform === 'linux').each([
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  [0xff534d42 | 0, 'CIFS'],
  [0x01021997, '9P'],
  [0xef53, undefined],
  [0x01021994, undefined],
])('statfs type %i is %s', (type, name) => {
  expect(networkFileSystem('/', type)).toBe(name)
})

test('checks the file system of the temporary directory without an error', () => {
  expect([undefined, 'NFS', 'CIFS', '9P']).toContain(networkFileSystem(tmpdir()))
})
