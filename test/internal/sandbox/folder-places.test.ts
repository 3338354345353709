// What is remembered of folders: nothing that a command has made stays unseen, whatever it does to their times.
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

test('a guarded place is seen although the times of its folder are set back', async () => {
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
