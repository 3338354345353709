// The folder for temporary files of commands without a wall: private, and gone with its run, however that ends.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import { existsSync, mkdirSync, mkdtempSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { WallRequest } from '../../../internal/process/process-command.ts'
import {
  makeTemporaryFolder,
  removeTemporaryFolder,
  temporaryFolder,
} from '../../../internal/process/temporary-folder.ts'
import { bash, runnerIn, scratch } from './scratch.ts'

const wall: WallRequest = {
  ...{ kind: 'workspace', folders: [], protected: [], network: [], write: [], revealed: [], opened: [] },
  ...{ setsAside: false, history: false },
}

test('commands that no wall could be built for get it, others keep what they have', async () => {
  const { run, close } = runnerIn(scratch())
  const dir = scratch()
  const line = 'echo "$TMPDIR $TMP"; f=$(mktemp); stat -c %a "${f%/*}"'
  const got = await run(bash(line, dir, { wall }))
  expect(got.stdout.text).toBe(`${temporaryFolder()} ${temporaryFolder()}\n700\n`)
  expect((await run(bash('echo "$TMPDIR"', dir))).stdout.text).not.toContain(temporaryFolder())
  await close()
  expect(existsSync(temporaryFolder())).toBe(false)
})

test('is found by the directory of a dead run', () => {
  const directory = scratch()
  const path = makeTemporaryFolder(directory)
  expect(makeTemporaryFolder(directory)).toBe(path)
  writeFileSync(join(path, 'left'), 'x')
  expect(statSync(path).mode & 0o777).toBe(0o700)
  removeTemporaryFolder(directory)
  expect(existsSync(path)).toBe(false)
})

test.each(['notes', 'anode-short', 'anode-0123456789abcdef012x'])('a link to %s is not followed', (name) => {
  const directory = scratch()
  const target = join(scratch(), name)
  mkdirSync(target)
  symlinkSync(target, join(directory, 'temporary'))
  removeTemporaryFolder(directory)
  expect(existsSync(target)).toBe(true)
})

test('where none was made nothing is removed', () => {
  const empty = mkdtempSync(join(tmpdir(), 'anode-test-'))
  onTestFinished(() => removeTemporaryFolder(empty))
  expect(() => removeTemporaryFolder(empty)).not.toThrow()
})
