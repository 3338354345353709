// The cache of directories: no file of a command stays undetected, even if the command
// resets directory times.
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findFolderPlaces } from '../../../internal/sandbox/folder-places.ts'
import { untilOld } from '../../support/waiting.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'anode-places-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

test('detects a sensitive path although the times of its directory are reset', async () => {
  mkdirSync(join(dir, '.config'))
  const before = new Date(Date.now() - 60_000)
  await untilOld(110, dir)
  const memory = { folders: new Map(), indexes: new Map() }
  expect(findFolderPlaces([dir], memory).guarded).toEqual([])
  mkdirSync(join(dir, '.vscode'))
  writeFileSync(join(dir, '.config', 'git'), '')
  for (const path of ['.', '.config']) utimesSync(join(dir, path), before, before)
  expect(findFolderPlaces([dir], memory).guarded).toEqual(
    expect.arrayContaining([join(dir, '.vscode'), join(dir, '.config')]),
  )
})
