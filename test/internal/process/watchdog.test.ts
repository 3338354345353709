// The watchdog alone: it ends what is marked when the pipe closes, and it ends itself.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startWatchdog } from '../../../internal/process/watchdog.ts'
import { processesWith, scratch } from './scratch.ts'

function marked(id: string) {
  const env = { PATH: process.env.PATH, ANODE_RUN: `${id}1.` }
  const child = spawn('sleep', ['600'], { env, detached: true })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return once(child, 'exit')
}

test('sweeps when the pipe closes, removes the directory and is gone', async () => {
  const directory = join(scratch(), "it's here")
  mkdirSync(directory)
  const id = `WD${Math.random()}.`
  const child = marked(id)
  let watchdog: ReturnType<typeof startWatchdog> | undefined
  const gone = new Promise<void>((resolve) => {
    watchdog = startWatchdog(id, directory, resolve)
  })
  watchdog?.hangUp()
  expect((await child)[1]).toBe('SIGTERM')
  await gone
  expect(existsSync(directory)).toBe(false)
  expect(processesWith(id)).toEqual([])
})

test('dismissed, it does nothing', async () => {
  const directory = scratch()
  const id = `WD${Math.random()}.`
  const child = marked(id)
  const watchdog = startWatchdog(id, directory, () => undefined)
  watchdog.watch(123_456_789)
  watchdog.forget(123_456_789)
  await watchdog.dismiss()
  watchdog.watch(123_456_789)
  expect(existsSync(directory)).toBe(true)
  const [pid = 0] = processesWith(`${id}1.`)
  process.kill(pid, 'SIGUSR1')
  expect((await child)[1]).toBe('SIGUSR1')
})
