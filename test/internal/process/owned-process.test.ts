// Child processes that keep running: messages to them, stopping them, losing them.
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { processesWith, runnerIn, scratch } from './scratch.ts'

test('exchanges data with a child over its streams', async () => {
  const dir = scratch()
  const child = await runnerIn(dir).spawn({ file: 'cat', args: [], cwd: dir })
  child.stdin.write('hello')
  const [chunk] = await once(child.stdout, 'data')
  expect(String(chunk)).toBe('hello')
  child.stdin.end()
  expect(await child.exited).toEqual({ exit: 0, signal: null })
})

test('stop ends a child process that ignores signals, and its descendants', async () => {
  const dir = scratch()
  const mark = `mark-${Math.random()}`
  const script = `trap "" TERM; (exec -a ${mark} setsid sleep 60) & echo up; for i in $(seq 300); do sleep 0.1; done`
  const child = await runnerIn(dir).spawn({ file: 'bash', args: ['-c', script], cwd: dir })
  await once(child.stdout, 'data')
  await Promise.all([child.stop(), child.stop()])
  expect(await child.exited).toEqual({ exit: null, signal: 'SIGKILL' })
  expect(processesWith(mark)).toEqual([])
})

test('descendants of a child process that ended by itself are ended too', async () => {
  const dir = scratch()
  const mark = `mark-${Math.random()}`
  const runner = runnerIn(dir)
  const child = await runner.spawn({
    file: 'bash',
    args: ['-c', `(exec -a ${mark} sleep 60) & exit 4`],
    cwd: dir,
  })
  expect(await child.exited).toEqual({ exit: 4, signal: null })
  await child.stop()
  expect(processesWith(mark)).toEqual([])
})

test('a child that closes its input does not end Anode', async () => {
  const dir = scratch()
  const child = await runnerIn(dir).spawn({ file: 'bash', args: ['-c', 'exec <&-; sleep 0.2'], cwd: dir })
  const timer = setInterval(() => child.stdin.write('x'.repeat(100_000)), 10)
  expect((await child.exited).exit).toBe(0)
  clearInterval(timer)
})

test('an abort, and closing the runner, stop the process', async () => {
  const dir = scratch()
  const runner = runnerIn(dir)
  const abort = new AbortController()
  const one = await runner.spawn({ file: 'sleep', args: ['600'], cwd: dir, signal: abort.signal })
  const two = await runner.spawn({ file: 'sleep', args: ['600'], cwd: dir })
  abort.abort()
  expect(await one.exited).toEqual({ exit: null, signal: 'SIGTERM' })
  await runner.close()
  expect(await two.exited).toEqual({ exit: null, signal: 'SIGTERM' })
  await expect(runner.spawn({ file: 'sleep', args: ['600'], cwd: dir })).rejects.toMatchObject({
    failure: { code: 'cancelled' },
  })
})

test('a missing program is a failure', async () => {
  const dir = scratch()
  await expect(runnerIn(dir).spawn({ file: 'no-such-server', args: [], cwd: dir })).rejects.toMatchObject({
    failure: { code: 'not_found' },
  })
})
