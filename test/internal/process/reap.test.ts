// Leftovers of dead runs: which are ended and removed, which are left alone.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  makePlace,
  noteChild,
  type Place,
  placeHere,
  runDir,
  startOf,
} from '../../../internal/process/place.ts'
import { reapLeftovers } from '../../../internal/process/reap.ts'
import { scratch } from './scratch.ts'

/** Id and start of a process that lived and is gone. */
async function dead(): Promise<Place> {
  const child = spawn('sleep', ['600'])
  const place = { ...placeHere(), pid: child.pid as number, start: startOf(child.pid as number) ?? 0 }
  child.kill('SIGKILL')
  await once(child, 'exit')
  return place
}

function live(env: Record<string, string> = {}) {
  const child = spawn('sleep', ['600'], { env: { PATH: process.env.PATH, ...env }, detached: true })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return { pid: child.pid as number, start: startOf(child.pid as number) ?? 0, exited: once(child, 'exit') }
}

test('nothing there is nothing to do', async () => {
  expect(await reapLeftovers(join(scratch(), 'none'))).toEqual({ runs: 0, processes: 0 })
})

test('children are found by the marker, files are removed', async () => {
  const dir = scratch()
  const place = await dead()
  const child = live({ ANODE_RUN: `${place.id}.3.` })
  writeFileSync(join(makePlace(dir, place), 'output.3'), 'x')
  expect(await reapLeftovers(dir)).toEqual({ runs: 1, processes: 1 })
  expect((await child.exited)[1]).toBe('SIGTERM')
  expect(readdirSync(runDir(dir))).toEqual([])
})

test('a noted child goes with its group, by id and start', async () => {
  const dir = scratch()
  const place = await dead()
  const child = live()
  noteChild(makePlace(dir, place), child.pid, child.start)
  expect(await reapLeftovers(dir)).toEqual({ runs: 1, processes: 1 })
  expect((await child.exited)[1]).toBe('SIGKILL')
})

test('a stranger with the id of a noted child is left alone', async () => {
  const dir = scratch()
  const place = await dead()
  const stranger = live()
  noteChild(makePlace(dir, place), stranger.pid, stranger.start - 1)
  expect(await reapLeftovers(dir)).toEqual({ runs: 1, processes: 0 })
  expect(startOf(stranger.pid)).toBe(stranger.start)
})

test('a stranger with the id of a dead owner does not keep its directory', async () => {
  const dir = scratch()
  const other = live()
  makePlace(dir, { ...placeHere(), pid: other.pid, start: other.start + 1 })
  expect((await reapLeftovers(dir)).runs).toBe(1)
})

test('living owners, other machines and other files are left alone', async () => {
  const dir = scratch()
  const other = live()
  makePlace(dir, placeHere())
  makePlace(dir, { ...placeHere(), pid: other.pid, start: other.start })
  const abroad = { ...(await dead()), host: 'elsewhere-1' }
  const directory = makePlace(dir, abroad)
  mkdirSync(join(runDir(dir), 'something else'))
  expect((await reapLeftovers(dir)).runs).toBe(0)
  expect(readdirSync(runDir(dir))).toHaveLength(4)
  utimesSync(directory, 0, 0)
  expect((await reapLeftovers(dir)).runs).toBe(1)
})
