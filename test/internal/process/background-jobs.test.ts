// Jobs in the background: output as it comes, ends, bounds, and nothing left.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createJobBoard, maxJobs } from '../../../internal/process/background-jobs.ts'
import { bash, processesWith, runnerIn, scratch } from './scratch.ts'

const here = AbortSignal.any([])

function board() {
  const dir = scratch()
  const runner = runnerIn(dir)
  const ended: { id: string; output: string }[] = []
  const jobs = createJobBoard(runner.run, async (job, _call, output) => {
    let text = ''
    for await (const part of output()) text += part
    ended.push({ id: job.id, output: text })
  })
  const start = (script: string, timeoutMs?: number) =>
    jobs.start({ line: script, command: bash(script, dir, timeoutMs ? { timeoutMs } : {}), call: 'call_1' })
  return {
    find: jobs.find.bind(jobs),
    wait: jobs.wait.bind(jobs),
    stop: jobs.stop.bind(jobs),
    nextEnd: jobs.nextEnd.bind(jobs),
    takeOutput: jobs.takeOutput.bind(jobs),
    takeEnded: jobs.takeEnded.bind(jobs),
    ...{ dir, jobs, start, ended, runner },
  }
}

test('runs in the background, returns unread output, and reports its end once', async () => {
  const { dir, start, wait, takeOutput, takeEnded, find, ended } = board()
  const { id } = start('echo one; until [ -e go ]; do sleep 0.05; done; echo two; exit 3')
  let first = ''
  while (first === '') {
    await wait(id, 5, here)
    first += takeOutput(id)
  }
  expect(first).toBe('one\n')
  expect(find(id)).toMatchObject({ running: true, exit: null })
  writeFileSync(join(dir, 'go'), '')
  await wait(id, 10_000, here)
  expect(takeOutput(id)).toBe('two\n')
  expect(takeOutput(id)).toBe('')
  expect(find(id)).toMatchObject({ id: 'job_1', running: false, exit: 3, stopped: false })
  expect(takeEnded().map((job) => job.id)).toEqual(['job_1'])
  expect(takeEnded()).toEqual([])
  expect(ended).toEqual([{ id: 'job_1', output: 'one\ntwo\n' }])
})

test('shows the beginning and the end of long output, and stores all of it', async () => {
  const { start, wait, takeOutput, ended } = board()
  const { id } = start('seq 400000')
  await wait(id, 20_000, here)
  const text = takeOutput(id)
  expect(text.length).toBeLessThan(140_000)
  expect(text).toMatch(/^1\n2\n[\s\S]*bytes left out[\s\S]*399999\n400000\n$/)
  expect(ended[0]?.output.split('\n')).toHaveLength(400_001)
})

test('stopping a job ends all its processes', async () => {
  const { start, stop, find, wait } = board()
  const mark = `job-mark-${process.pid}`
  const { id } = start(`(exec -a ${mark} sleep 60) & wait`)
  while (processesWith(mark).length === 0) await wait(id, 10, here)
  await stop(id)
  expect(find(id)).toMatchObject({ running: false, stopped: true })
  expect(processesWith(mark)).toEqual([])
})

test('reports a time limit, a missing program and a cancelled wait', async () => {
  const { start, wait, find, jobs } = board()
  const { id } = start('sleep 60', 100)
  await wait(id, 10_000, here)
  expect(find(id)).toMatchObject({ timed_out: true })
  const command = { file: 'no-such-program', args: [], cwd: '/' }
  const lost = jobs.start({ line: 'x', command, call: 'c' })
  await wait(lost.id, 10_000, here)
  expect(find(lost.id)?.problem).toContain('no-such-program')
  const long = start('sleep 60')
  await wait(long.id, 60_000, AbortSignal.abort())
  expect(find(long.id)?.running).toBe(true)
})

test('limits the number of running jobs', async () => {
  const { start, stop } = board()
  for (let i = 0; i < maxJobs; i++) start('sleep 60')
  expect(() => start('true')).toThrow(/8 jobs run already: job_1, /)
  await stop('job_1')
  expect(start('true').id).toBe('job_9')
})

test('the end of a job wakes a caller that waits for any job, and a cancel ends the wait', async () => {
  const { start, nextEnd } = board()
  const woken = nextEnd(here)
  start('true')
  await woken
  await expect(nextEnd(AbortSignal.abort(new Error('left')))).rejects.toThrow('left')
})

test('does not report jobs that end with the session', async () => {
  const { start, runner, takeEnded, ended, wait, jobs } = board()
  const { id } = start('sleep 60')
  await runner.close()
  await wait(id, 10_000, here)
  expect([takeEnded(), ended]).toEqual([[], []])
  await jobs.close()
})
