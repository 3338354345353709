// Ending a family of processes: with a request first, then by force, down to the last process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { killProcessFamily, signalProcess } from '../../../internal/process/process-family.ts'
import { processesWith } from './scratch.ts'

async function family(script: string) {
  const mark = `MARK${Math.random()}.1.`
  const child = spawn('bash', ['-c', script], {
    env: { PATH: process.env.PATH, ANODE_RUN: mark },
    detached: true,
  })
  await once(child.stdout, 'data')
  onTestFinished(async () => {
    await killProcessFamily({ mark }, 0)
  })
  const exited = once(child, 'exit')
  return { mark, child, exited }
}

test('reports how many processes it ended, and zero without any', async () => {
  const { mark } = await family('sleep 60 & setsid sleep 60 & echo up; wait')
  expect(await killProcessFamily({ mark }, 1000)).toBe(3)
  expect(processesWith(mark)).toEqual([])
  expect(await killProcessFamily({ mark }, 1000)).toBe(0)
})

test('gives processes that handle the signal the time to finish', async () => {
  const { mark, child, exited } = await family(
    'trap "sleep 0.2; echo bye; exit 9" TERM; echo up; for i in $(seq 600); do sleep 0.05; done',
  )
  const [[bye]] = await Promise.all([once(child.stdout, 'data'), killProcessFamily({ mark }, 10_000)])
  expect(String(bye)).toBe('bye\n')
  expect((await exited)[0]).toBe(9)
})

test('gives processes that ignore the signal no more than the grace period', async () => {
  const { mark, exited } = await family('trap "" TERM; echo up; for i in $(seq 600); do sleep 0.05; done')
  await killProcessFamily({ mark }, 100)
  expect((await exited)[1]).toBe('SIGKILL')
})

// Each process starts one other and ends: the population stays at three and must never double.
test('ends processes that keep starting a successor', async () => {
  // a chain of at most 200 processes, each in a new session, which ends by itself after some seconds
  const next =
    'trap "" TERM; [ $1 -eq 0 ] && exit; sleep 0.02; setsid bash -c "$0" "$0" $(($1 - 1)) & echo up'
  const { mark } = await family(`bash -c '${next}' '${next}' 200; wait`)
  await killProcessFamily({ mark }, 50)
  expect(processesWith(mark)).toEqual([])
})

test('ends a process group in one step', async () => {
  const { mark } = await family('for i in $(seq 20); do sleep 60 & done; echo up; trap "" TERM; wait; wait')
  expect(await killProcessFamily({ mark }, 0)).toBeGreaterThanOrEqual(21)
  expect(processesWith(mark)).toEqual([])
})

test('a stopped process receives TERM', async () => {
  const { mark, exited } = await family(
    'trap "exit 9" TERM; echo up; kill -STOP $$; for i in $(seq 600); do sleep 0.05; done',
  )
  await killProcessFamily({ mark }, 10_000)
  expect((await exited)[0]).toBe(9)
})

test('a signal without a receiver is not an error', () => {
  expect(signalProcess(2 ** 30, 'SIGTERM')).toBe(false)
})
