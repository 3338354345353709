// The watchdog alone: it ends marked processes when the pipe closes, and then ends itself.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startWatchdog } from '../../../internal/process/child-owner.ts'
import { killProcessFamily } from '../../../internal/process/process-family.ts'
import { makeTemporaryDirectory } from '../../../internal/process/run-directory.ts'
import { processesWith, scratch } from './scratch.ts'

function marked(id: string) {
  const env = { PATH: process.env.PATH, ANODE_RUN: `${id}1.` }
  const child = spawn('sleep', ['600'], { env, detached: true })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return once(child, 'exit')
}

test('ends the processes when the pipe closes, removes the directory and exits', async () => {
  const directory = join(scratch(), "it's here")
  mkdirSync(directory)
  const temporary = makeTemporaryDirectory(directory)
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
  expect(existsSync(temporary as string)).toBe(false)
  expect(processesWith(id)).toEqual([])
})

test('does nothing after it is dismissed', async () => {
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

/** Returns the processes that have `mark` in their arguments and not `id` in their environment. */
function unmarked(mark: string, id: string): number[] {
  return processesWith(mark).filter((pid) => {
    try {
      return !readFileSync(`/proc/${pid}/environ`, 'utf8').includes(id)
    } catch {
      return false
    }
  })
}

/** Starts a marked shell, and below it a process with an empty environment. */
function family(id: string, below: string): Promise<unknown> {
  const env = { PATH: process.env.PATH, ANODE_RUN: `${id}1.` }
  const child = spawn('bash', ['-c', `${below} & sleep 600`], { env, detached: true })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return once(child, 'exit')
}

test.each([
  ['a child', 'exec -c -a MARK sleep 600'],
  ['a child of a child', "exec -c bash -c '(exec -a MARK sleep 600) & sleep 600'"],
  ['one in a session of its own', 'exec -c setsid bash -c "exec -a MARK sleep 600"'],
  [
    'one that does not listen to TERM',
    'exec -c bash -c "trap : TERM; while :; do (exec -a MARK sleep 0.2); done"',
  ],
  [
    'one that listens to nothing and has a session',
    'exec -c setsid bash -c "trap : TERM; while :; do (exec -a MARK sleep 0.2); done"',
  ],
  [
    'one with a name over several lines',
    'exec -c bash -c "printf \'x) R 1\\\\n1 (y\' > /proc/self/comm; exec -a MARK sleep 600"',
  ],
])(
  'ends a process that has cleared its environment: %s',
  async (_name, below) => {
    const directory = scratch()
    const id = `WD${Math.random()}.`
    const mark = `mark-${Math.random()}`
    const parent = family(id, below.replaceAll('MARK', mark))
    while (unmarked(mark, id).length === 0) await sleep(20)
    const gone = new Promise<void>((resolve) => startWatchdog(id, directory, resolve).hangUp())
    await Promise.all([gone, parent])
    expect(processesWith(mark)).toEqual([])
    expect(existsSync(directory)).toBe(false)
  },
  30_000,
)

test.each([
  ['a child', 'exec -c -a MARK sleep 600'],
  [
    'one that listens to nothing and has a session',
    'exec -c setsid bash -c "trap : TERM; while :; do (exec -a MARK sleep 0.2); done"',
  ],
])(
  'the next start ends the process if there was no watchdog: %s',
  async (_name, below) => {
    const id = `WD${Math.random()}.`
    const mark = `mark-${Math.random()}`
    const parent = family(id, below.replaceAll('MARK', mark))
    while (unmarked(mark, id).length === 0) await sleep(20)
    expect(await killProcessFamily({ mark: id }, 300)).toBeGreaterThan(1)
    await parent
    expect(processesWith(mark)).toEqual([])
  },
  30_000,
)
