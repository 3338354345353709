// Files in the root of a workspace: only what looks like hooks is named.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { strayHooks } from '../../../../internal/host/extensions/stray-hooks.ts'
import type { Surroundings } from '../../../../internal/host/surroundings.ts'
import { scratch } from '../../../support/scratch.ts'

const around = (workspace: string) => ({ workspace }) as Surroundings

test.each([
  ['{"PreToolUse": []}', true],
  ['{"hooks": {"SessionEnd": []}}', true],
  ['{"husky": true}', false],
  ['', false],
])('%j', (text, isNamed) => {
  const dir = scratch()
  writeFileSync(join(dir, 'hooks.json'), text)
  expect(strayHooks(around(dir))).toEqual(isNamed ? [join(dir, 'hooks.json')] : [])
})

test('nothing there, or a folder, is no hooks', () => {
  const dir = scratch()
  expect(strayHooks(around(dir))).toEqual([])
  mkdirSync(join(dir, 'hooks.json'))
  expect(strayHooks(around(dir))).toEqual([])
})
