// Files in the root of a workspace: only files that look like hooks are reported.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { WorkspaceContext } from '../../../../internal/runtime/workspace/workspace.ts'
import { findStrayHooks } from '../../../../internal/service/doctor/stray-hooks.ts'
import { scratch } from '../../../support/scratch.ts'

const around = (workspace: string) => ({ workspace }) as WorkspaceContext

test.each([
  ['{"PreToolUse": []}', true],
  ['{"hooks": {"SessionEnd": []}}', true],
  ['{"husky": true}', false],
  ['', false],
])('%j', (text, isNamed) => {
  const dir = scratch()
  writeFileSync(join(dir, 'hooks.json'), text)
  expect(findStrayHooks(around(dir))).toEqual(isNamed ? [join(dir, 'hooks.json')] : [])
})

test('ignores a missing file and a directory', () => {
  const dir = scratch()
  expect(findStrayHooks(around(dir))).toEqual([])
  mkdirSync(join(dir, 'hooks.json'))
  expect(findStrayHooks(around(dir))).toEqual([])
})
