// The tool cron: manages tasks of this workspace that run on a schedule.
import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import type { CronJob, CronRun } from '../../store/cron/cron-store.ts'
import type { CronJobStatus, CronJobs } from '../../tool/cron-jobs.ts'
import { field, optionalText } from '../../tool/field.ts'
import type { ToolResult } from '../../tool/result.ts'
import { defineTool } from '../../tool/tool.ts'
import about from './cron.md'

const actions = ['create', 'list', 'delete', 'enable', 'disable', 'history'] as const
type CronAction = (typeof actions)[number]

const input = z.object({
  action: field(z.enum(actions), 'What to do.'),
  name: field(optionalText(), 'Name of the job; for create.'),
  schedule: field(optionalText(), 'When it runs; for create.'),
  prompt: field(optionalText(), 'Task of each run; for create.'),
  job_id: field(optionalText(), 'Id or name of the job; for all but create and list.'),
  timezone: field(optionalText(), 'Zone of the schedule; default: the local zone'),
  profile: field(optionalText(), 'Profile of the runs; default: the default profile'),
  limit: field(z._default(z.int().check(z.minimum(1)), 20), 'Runs that history lists.', { cap: 200 }),
})

type CronArguments = z.output<typeof input>

/**
 * Permission levels of the actions. `create` and `enable` need approval, because a job runs without the user,
 * after the session and at the user's cost.
 */
const levels = {
  create: 'confirm_write',
  enable: 'confirm_write',
  delete: 'state_write',
  disable: 'state_write',
  list: 'auto_read',
  history: 'auto_read',
} as const

export const cron = defineTool({
  name: 'cron',
  about,
  offer: { optional: true },
  input,
  example: {
    action: 'create',
    name: 'morning news',
    schedule: '0 7 * * 1-5',
    prompt: 'What changed since yesterday?',
    timezone: 'Europe/Berlin',
  },
  level: 'auto_read',
  access: ({ action }) => ({ level: levels[action] }),
  effect: ({ action }) => (levels[action] === 'auto_read' ? 'read' : 'write'),
  available: (ctx) => (ctx.can.cron ? true : 'jobs cannot be scheduled in this session'),
  async validate(args) {
    const needed: readonly (keyof CronArguments)[] =
      args.action === 'create' ? ['name', 'schedule', 'prompt'] : args.action === 'list' ? [] : ['job_id']
    const missing = needed.filter((name) => args[name] === undefined || args[name] === '')
    if (missing.length === 0) return
    const names = missing.map((name) => `\`${name}\``).join(', ')
    throw new FailureError({ code: 'bad_args', message: `${args.action} needs ${names}` })
  },
  async run(args, ctx): Promise<ToolResult> {
    const jobs = await (ctx.can.cron as () => Promise<CronJobs>)()
    const { action, job_id: id = '', limit } = args
    if (action === 'create') return createJob(args, jobs)
    if (action === 'list') return listJobs(await jobs.list())
    if (action === 'history') return showHistory(await jobs.find(id), await jobs.history(id, limit))
    const job = action === 'delete' ? await jobs.remove(id) : await jobs.enable(id, action === 'enable')
    return { text: describeChange(action, job), data: { job: dataOf(job) } }
  },
})

async function createJob(args: CronArguments, jobs: CronJobs): Promise<ToolResult> {
  const { name = '', schedule = '', prompt = '', timezone, profile } = args
  const job = await jobs.create({
    name,
    schedule,
    prompt,
    kind: 'execute',
    flags: profile === undefined ? {} : { profile },
    timezone,
  })
  const crontab = jobs.crontabLine()
  const text = [
    `created ${job.id}: ${describeJob(job)}`,
    'It runs only while a scheduler does: `anode cron run`, or this line in the crontab of the user:',
    crontab,
  ].join('\n')
  return { text, data: { job: dataOf(job), crontab } }
}

function listJobs(all: readonly CronJobStatus[]): ToolResult {
  const jobs = all.map((job) => ({ ...dataOf(job), last: job.last ? runData(job.last) : null }))
  const lines = all.map(
    (job) => `${job.id}  ${describeJob(job)}${job.last ? `, last ${describeRun(job.last)}` : ''}`,
  )
  return { text: lines.join('\n') || 'no jobs', data: { jobs } }
}

function showHistory(job: CronJob, runs: readonly CronRun[]): ToolResult {
  const text = runs.map(describeRun).join('\n') || `${job.name} has not run yet`
  return { text, data: { job: dataOf(job), runs: runs.map(runData) } }
}

const formatTime = (ms: number) => `${new Date(ms).toISOString().slice(0, 16)}Z`

function describeChange(action: CronAction, job: CronJob): string {
  if (action === 'delete') return `deleted ${job.name}, its history too`
  return job.next === null ? `${job.name} is off` : `${job.name} is on, next at ${formatTime(job.next)}`
}

function describeJob({ name, schedule, timezone, flags, next }: CronJob): string {
  const profile = flags['profile'] === undefined ? '' : `, profile ${flags['profile']}`
  return `${name}: ${schedule} (${timezone})${profile}, ${next === null ? 'off' : `next ${formatTime(next)}`}`
}

function describeRun({ slot, state, late, missed, thread, note }: CronRun): string {
  const lateness = missed > 0 ? `, late for ${missed + 1} slots` : late ? ', late' : ''
  const where = thread === null ? '' : `, thread ${thread}`
  return `${formatTime(slot)} ${state}${lateness}${where}${note === '' ? '' : `: ${note.split('\n', 1)[0]}`}`
}

function dataOf({ id, name, kind, schedule, timezone, prompt, flags, enabled, next }: CronJob) {
  const times = { next: next === null ? null : formatTime(next) }
  return {
    id,
    name,
    runs: kind,
    schedule,
    timezone,
    prompt,
    profile: flags['profile'] ?? null,
    enabled,
    ...times,
  }
}

function runData({ id, slot, state, late, missed, started, ended: endedAt, thread, exit, note }: CronRun) {
  return { id, slot: formatTime(slot), state, late, missed, started, ended: endedAt, thread, exit, note }
}
