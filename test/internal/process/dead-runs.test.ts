// Leftovers of dead runs: which are ended and removed, which are left alone.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { cleanUpDeadProcesses } from '../../../internal/process/dead-runs.ts'
import {
  makeRunDirectory,
  noteChild,
  ownRunIdentity,
  processStartTime,
  type RunIdentity,
  runDir,
} from '../../../internal/process/run-directory.ts'
import { scratch } from './scratch.ts'

/** Returns id and start of a process that has ended. */
async function dead(): Promise<RunIdentity> {
  const child = spawn('sleep', ['600'])
  const place = {
    ...ownRunIdentity(),
    pid: child.pid as number,
    start: processStartTime(child.pid as number) ?? 0,
  }
  child.kill('SIGKILL')
  await once(child, 'exit')
  return place
}

function live(env: Record<string, string> = {}) {
  const child = spawn('sleep', ['600'], { env: { PATH: process.env.PATH, ...env }, detached: true })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return {
    pid: child.pid as number,
    start: processStartTime(child.pid as number) ?? 0,
    exited: once(child, 'exit'),
  }
}

test('does nothing without the directory', async () => {
  expect(await cleanUpDeadProcesses(join(scratch(), 'none'))).toEqual({ runs: 0, processes: 0 })
})

test('finds child processes by their marker, and removes the files of a dead run', async () => {
  const dir = scratch()
  const place = await dead()
  const child = live({ ANODE_RUN: `${place.id}.3.` })
  writeFileSync(join(makeRunDirectory(dir, place), 'output.3'), 'x')
  expect(await cleanUpDeadProcesses(dir)).toEqual({ runs: 1, processes: 1 })
  expect((await child.exited)[1]).toBe('SIGTERM')
  expect(readdirSync(runDir(dir))).toEqual([])
})

test('ends the group of a recorded child, found by process id and start time', async () => {
  const dir = scratch()
  const place = await dead()
  const child = live()
  noteChild(makeRunDirectory(dir, place), child.pid, child.start)
  expect(await cleanUpDeadProcesses(dir)).toEqual({ runs: 1, processes: 1 })
  expect((await child.exited)[1]).toBe('SIGKILL')
})

test('does not end another process that has the id of a recorded child', async () => {
  const dir = scratch()
  const place = await dead()
  const stranger = live()
  noteChild(makeRunDirectory(dir, place), stranger.pid, stranger.start - 1)
  expect(await cleanUpDeadProcesses(dir)).toEqual({ runs: 1, processes: 0 })
  expect(processStartTime(stranger.pid)).toBe(stranger.start)
})

test('removes a directory even if another process has the id of its dead owner', async () => {
  const dir = scratch()
  const other = live()
  makeRunDirectory(dir, { ...ownRunIdentity(), pid: other.pid, start: other.start + 1 })
  expect((await cleanUpDeadProcesses(dir)).runs).toBe(1)
})

test('keeps directories of running owners and other machines, and other files', async () => {
  const dir = scratch()
  const other = live()
  makeRunDirectory(dir, ownRunIdentity())
  makeRunDirectory(dir, { ...ownRunIdentity(), pid: other.pid, start: other.start })
  const abroad = { ...(await dead()), host: 'elsewhere-1' }
  const directory = makeRunDirectory(dir, abroad)
  mkdirSync(join(runDir(dir), 'something else'))
  expect((await cleanUpDeadProcesses(dir)).runs).toBe(0)
  expect(readdirSync(runDir(dir))).toHaveLength(4)
  utimesSync(directory, 0, 0)
  expect((await cleanUpDeadProcesses(dir)).runs).toBe(1)
})
