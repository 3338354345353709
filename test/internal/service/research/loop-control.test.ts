// A loop that other processes show, pause and end.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { processIdentity } from '../../../../internal/base/process-identity.ts'
import { findOwnProcess } from '../../../../internal/process/table/own-process.ts'
import { controlLoop, openLoopControl, readLoop } from '../../../../internal/service/research/loop-control.ts'
import { scratchWith } from '../../../support/scratch.ts'

const loop = { workspace: '/shop', policy: 'random' }
const never = new AbortController().signal

it('waits during a pause, reports it once, and continues', async () => {
  const dir = join(scratchWith({}), 'session')
  const notes: string[] = []
  expect(await controlLoop(dir, 'pause')).toBe('ended')
  const control = await openLoopControl(dir, loop, (text) => notes.push(text))
  await control.untilAllowed(never)
  expect(await controlLoop(dir, 'pause')).toBe('done')
  expect(await readLoop(dir)).toMatchObject({ ...loop, isPaused: true })
  let isOver = false
  const waiting = control.untilAllowed(never).then(() => {
    isOver = true
  })
  await expect.poll(() => notes.length).toBe(1)
  expect(isOver).toBe(false)
  expect(await controlLoop(dir, 'go')).toBe('done')
  await waiting
  expect(notes).toHaveLength(1)
  await control.close()
  expect(await readLoop(dir)).toBeUndefined()
})

it('ends a pause with its signal, and does not start in the pause of an earlier loop', async () => {
  const dir = scratchWith({})
  const first = await openLoopControl(dir, loop, () => undefined)
  await controlLoop(dir, 'pause')
  const stop = new AbortController()
  const waiting = first.untilAllowed(stop.signal)
  stop.abort()
  await waiting
  const next = await openLoopControl(dir, loop, () => undefined)
  expect(await readLoop(dir)).toMatchObject({ isPaused: false })
  await next.untilAllowed(never)
})

it('ends the process that has the mark, and no other', async () => {
  const dir = scratchWith({})
  const child = spawn('sleep', ['60'])
  onTestFinished(() => void child.kill('SIGKILL'))
  const [, start, ...rest] = processIdentity().split('-')
  const wrong = [child.pid, start, ...rest].join('-')
  writeFileSync(join(dir, 'loop.json'), JSON.stringify({ ...loop, mark: wrong, started: Date.now() }))
  // its pid belongs to another process by now
  expect(await controlLoop(dir, 'stop')).toBe('ended')
  expect(findOwnProcess(wrong)).toBeUndefined()
  expect(findOwnProcess(processIdentity())).toBe(process.pid)
  expect(child.exitCode ?? child.signalCode).toBeNull()
  child.kill()
  await once(child, 'exit')
})
