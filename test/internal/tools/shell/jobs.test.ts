// The tool jobs with bash in the background: one agent's jobs, from start to end.
import { expect, onTestFinished, test } from 'vitest'
import { createRunner } from '../../../../internal/process/run-command.ts'
import {
  createSessionJobs,
  describeJobEnd,
  jobNotes,
} from '../../../../internal/runtime/agent/session-jobs.ts'
import type { CallLog } from '../../../../internal/tool/ctx.ts'
import { bash } from '../../../../internal/tools/shell/bash.ts'
import { jobs } from '../../../../internal/tools/shell/jobs.ts'
import { accessOf, call, ctxWith } from '../../../support/ctx.ts'
import { scratch } from '../../../support/scratch.ts'

function session() {
  const runner = createRunner({ dataDir: scratch(), env: process.env })
  onTestFinished(() => runner.close())
  const record: unknown[] = []
  const log: CallLog = {
    append: async (draft) => void record.push(draft),
    keep: async (id, text) => {
      record.push({ id, text })
      return 'hash'
    },
  }
  const own = createSessionJobs(runner.run, log)
  const ctx = ctxWith(
    { processes: { run: runner.run, jobs: own } },
    { cwd: scratch(), call: { id: 'call_7' }, env: { PATH: process.env.PATH }, log },
  )
  return {
    own,
    record,
    start: (command: string, rest = {}) => call(bash, { command, background: true, ...rest }, ctx),
    job: (action: string, job_id?: string, rest = {}) =>
      call(jobs, { action, ...(job_id && { job_id }), ...rest }, ctx),
  }
}

test('starts a command in the background, waits for it, and records and reports its end', async () => {
  const { own, record, start, job } = session()
  const started = await start('echo hello; exit 4')
  expect(started.text).toBe(
    'job_1 is running in the background: read it with jobs {"action": "output", "job_id": "job_1"}; ' +
      'a note reports its end',
  )
  await own.opened?.wait('job_1', 10_000, new AbortController().signal)
  expect(jobNotes(own)).toEqual([
    {
      role: 'user',
      origin: 'note',
      content: expect.stringMatching(/^job_1 \(echo hello; exit 4\) ended: exit 4 after \d/),
    },
  ])
  expect(jobNotes(own)).toEqual([])
  expect(record).toMatchObject([
    { id: 'call_7', text: 'hello\n' },
    { type: 'job.ended', payload: { job: 'job_1', call: 'call_7', exit: 4, whole: 'hash', stopped: false } },
  ])
  const { text, data, raw } = await job('output', 'job_1')
  expect(text).toMatch(/^hello\n\[job_1: exit 4 after \d+\.\d s\]$/)
  expect(data).toMatchObject({ job: { id: 'job_1', exit: 4 } })
  expect(raw).toEqual({ output: 'hello\n' })
})

test('a caller that waited for the end of a job gets no second note', async () => {
  const { own, start, job } = session()
  await start('true')
  expect((await job('wait', 'job_1')).text).toMatch(/^\[job_1: exit 0 after .*; nothing new\]$/)
  expect(jobNotes(own)).toEqual([])
})

test('lists jobs, waits up to the time limit, and stops a job', async () => {
  const { start, job } = session()
  expect((await job('list')).text).toBe('no jobs')
  await start('sleep 60')
  expect((await job('wait', 'job_1', { timeout_ms: 20 })).text).toMatch(/running for \d\.\d s; nothing new/)
  expect((await job('list')).text).toMatch(/^job_1 {2}running for \d\.\d s {2}sleep 60$/)
  expect((await job('stop', 'job_1')).text).toMatch(/^\[job_1: stopped after/)
})

test.each([
  ['output', undefined, 'bad_args', /job_id/],
  ['wait', 'job_9', 'not_found', /job_9/],
])('%s of %s fails with %s', async (action, id, code, message) => {
  const { start, job } = session()
  await start('true')
  const { failed } = await job(action, id)
  expect(failed?.code).toBe(code)
  expect(failed?.message).toMatch(message)
  if (id) expect(failed?.hint).toBe('Known: job_1.')
})

test('bash reports if background jobs are not available', async () => {
  const runner = createRunner({ dataDir: scratch(), env: process.env })
  onTestFinished(() => runner.close())
  const ctx = ctxWith({ processes: { run: runner.run } }, { cwd: scratch() })
  expect((await call(bash, { command: 'true', background: true }, ctx)).failed?.code).toBe('unavailable')
  expect(jobs.available?.(ctx)).toMatch(/no jobs/)
})

test('only stop changes anything', () => {
  expect(accessOf(jobs, { action: 'stop', timeout_ms: 1 }).level).toBe('state_write')
  expect(accessOf(jobs, { action: 'output', timeout_ms: 1 }).level).toBe('auto_read')
})

const ended = {
  id: 'job_1',
  command: 'npm run dev\nmore',
  running: false,
  exit: null,
  signal: null,
  timed_out: false,
  stopped: false,
  ms: 12_345,
}
test.each([
  [{ exit: 1 }, 'job_1 (npm run dev) ended: exit 1 after 12.3 s'],
  [{ signal: 'SIGSEGV' }, 'job_1 (npm run dev) ended: ended by SIGSEGV after 12.3 s'],
  [{ timed_out: true }, 'job_1 (npm run dev) ended: its time was over after 12.3 s'],
  [{ problem: 'program not found: bash' }, 'job_1 (npm run dev) ended: program not found: bash after 12.3 s'],
])('%j is reported as %s', (how, text) => {
  expect(describeJobEnd({ ...ended, ...how })).toBe(text)
})
