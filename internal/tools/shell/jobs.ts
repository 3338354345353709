// The tool jobs: shows background commands and their output, waits for them, and ends them.
import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import type { JobState } from '../../process/background-jobs.ts'
import { clip } from '../../tool/clip/clip.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { field } from '../../tool/field.ts'
import type { JobBoard } from '../../tool/jobs.ts'
import { type ToolResult, withNotes } from '../../tool/result.ts'
import { defineTool } from '../../tool/tool.ts'
import about from './jobs.md'

const maxOutputChars = 30_000

const input = z.object({
  action: field(
    z.enum(['list', 'output', 'wait', 'stop']),
    'list: all jobs; output: new output; wait: output once the job ends; stop: end it',
  ),
  job_id: field(z.optional(z.string()), 'Job such as job_1; list needs none'),
  timeout_ms: field(
    z._default(z.int().check(z.gte(1)), 30_000),
    'Longest time that wait takes, in milliseconds',
    {
      cap: 600_000,
    },
  ),
})

export const jobs = defineTool({
  name: 'jobs',
  about,
  input,
  example: { action: 'wait', job_id: 'job_1', timeout_ms: 60_000 },
  level: 'auto_read',
  offer: { with: 'bash' },
  access: ({ action }) => ({ level: action === 'stop' ? 'state_write' : 'auto_read' }),
  effect: ({ action }) => (action === 'stop' ? 'write' : 'read'),
  available: (ctx) => (ctx.can.processes.jobs ? true : 'no jobs can be started in this session'),
  async run({ action, job_id, timeout_ms }, ctx): Promise<ToolResult> {
    const board = ctx.can.processes.jobs?.opened
    if (action === 'list') return listJobs(board?.list() ?? [])
    const job = findJob(board, job_id)
    if (!board) throw new Error('there is a job without a board')
    if (action === 'stop') await board.stop(job.id)
    if (action === 'wait') await waitForJob(board, job.id, timeout_ms, ctx)
    return showJob(board, job.id, ctx)
  },
})

function findJob(board: JobBoard | undefined, id: string | undefined): JobState {
  if (id === undefined) {
    throw new FailureError({ code: 'bad_args', message: '`job_id` is missing: only list goes without it' })
  }
  const job = board?.find(id)
  if (job) return job
  const jobIds = board?.list().map((one) => one.id) ?? []
  const hint =
    jobIds.length > 0
      ? `Known: ${jobIds.join(', ')}.`
      : 'None has been started: bash does, with `background`.'
  throw new FailureError({ code: 'not_found', message: `unknown job ${id}`, hint, detail: { known: jobIds } })
}

/**
 * Waits until the job has ended, the time is over, the call is canceled, or the session interrupts the wait,
 * for example because the user has sent a message.
 */
async function waitForJob(board: JobBoard, id: string, ms: number, { signal, can }: Ctx): Promise<void> {
  const over = new AbortController()
  const message = can.interruption?.(over.signal).then(
    () => over.abort(),
    () => undefined,
  )
  await board.wait(id, ms, AbortSignal.any([signal, over.signal]))
  over.abort()
  await message
}

function listJobs(all: readonly JobState[]): ToolResult {
  const text = all.map((job) => `${job.id}  ${describeState(job)}  ${job.command.split('\n', 1)[0]}`)
  return { text: text.join('\n') || 'no jobs', data: { jobs: all } }
}

function showJob(board: JobBoard, id: string, ctx: Ctx): ToolResult {
  const output = board.takeOutput(id)
  const job = board.find(id) as JobState
  board.acknowledge(id)
  const excerpt = clip(output, { chars: maxOutputChars, lines: Number.POSITIVE_INFINITY, keep: 'ends' })
  const status = `[${job.id}: ${describeState(job)}${output === '' ? '; nothing new' : ''}]`
  const data = { job, output_chars: output.length, cut: excerpt.chars > 0, cancelled: ctx.signal.aborted }
  return { text: withNotes(excerpt.text, [status]), data, raw: { output: excerpt.text } }
}

function describeState({ running, exit, signal, stopped, timed_out, problem, ms }: JobState): string {
  const time = `${(ms / 1000).toFixed(1)} s`
  if (running) return `running for ${time}`
  if (problem !== undefined) return problem
  const how = stopped
    ? 'stopped'
    : timed_out
      ? 'its time was over'
      : signal
        ? `ended by ${signal}`
        : `exit ${exit}`
  return `${how} after ${time}`
}
