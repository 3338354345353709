// Names under run/: what they say and what they do not match; the folder for temporary files of a run.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDir } from '../../../internal/base/files/temporary-dir.ts'
import type { SandboxRequest } from '../../../internal/process/process-command.ts'
import {
  hostIdentity,
  makeRunDirectory,
  makeTemporaryDirectory,
  noteChild,
  ownRunIdentity,
  parseChild,
  parseRunName,
  processStartTime,
  removeTemporaryDirectory,
  runName,
} from '../../../internal/process/run-directory.ts'
import { bash, runnerIn, scratch } from './scratch.ts'

test('the name of a run directory identifies its owner', () => {
  const place = ownRunIdentity()
  expect(parseRunName(runName(place))).toEqual(place)
  expect(place).toMatchObject({ pid: process.pid, host: hostIdentity() })
  expect(place.start).toBeGreaterThan(0)
})

test.each(['', 'x', '1.2.3', '1.2.host.short', 'a.2.host.01ARZ3NDEKTSV4RRFFQ69G5FAV', '.DS_Store'])(
  '%j is not the name of a run directory',
  (name) => {
    expect(parseRunName(name)).toBeUndefined()
    expect(parseChild(name)).toBeUndefined()
  },
)

test('records a child as a file, and removes the file with the record', () => {
  const directory = makeRunDirectory(scratch(), ownRunIdentity())
  const forget = noteChild(directory, 12, 34)
  expect(readdirSync(directory).map(parseChild)).toEqual([{ pid: 12, start: 34 }])
  forget()
  expect(readdirSync(join(directory))).toEqual([])
})

test('the start time of a missing process is unknown', () => {
  expect(processStartTime(2 ** 30)).toBeUndefined()
})

const sandbox: SandboxRequest = {
  ...{ kind: 'workspace', folders: [], protected: [], network: [], write: [], revealed: [], opened: [] },
  ...{ history: false },
}

test('is passed to commands without a sandbox only', async () => {
  const { run, close } = runnerIn(scratch())
  const dir = scratch()
  const line = 'echo "$TMPDIR $TMP"; f=$(mktemp); stat -c %a "${f%/*}"'
  const got = await run(bash(line, dir, { sandbox }))
  expect(got.stdout.text).toBe(`${temporaryDir()} ${temporaryDir()}\n700\n`)
  expect((await run(bash('echo "$TMPDIR"', dir))).stdout.text).not.toContain(temporaryDir())
  await close()
  expect(existsSync(temporaryDir() ?? '')).toBe(false)
})

test('is found again by the directory of a dead run', () => {
  const directory = scratch()
  const path = makeTemporaryDirectory(directory)
  expect(makeTemporaryDirectory(directory)).toBe(path)
  writeFileSync(join(path as string, 'left'), 'x')
  expect(statSync(path as string).mode & 0o777).toBe(0o700)
  removeTemporaryDirectory(directory)
  expect(existsSync(path as string)).toBe(false)
})

test.each(['notes', 'anode-short', 'anode-01M83VTV7N01M83VTV7N012345x'])(
  'a link to %s is not followed',
  (name) => {
    const directory = scratch()
    const target = join(scratch(), name)
    mkdirSync(target)
    symlinkSync(target, join(directory, 'temporary'))
    removeTemporaryDirectory(directory)
    expect(existsSync(target)).toBe(true)
  },
)

test('removes nothing if no directory was created', () => {
  const empty = mkdtempSync(join(tmpdir(), 'anode-test-'))
  onTestFinished(() => removeTemporaryDirectory(empty))
  removeTemporaryDirectory(empty)
  expect(readdirSync(empty)).toEqual([])
})

test('is not used if other users can read it', () => {
  const directory = scratch()
  const path = makeTemporaryDirectory(directory) as string
  onTestFinished(() => removeTemporaryDirectory(directory))
  chmodSync(path, 0o755)
  expect(() => makeTemporaryDirectory(directory)).toThrow(/belongs to another/)
  chmodSync(path, 0o700)
})
