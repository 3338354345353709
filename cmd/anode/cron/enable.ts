// The commands `anode cron enable` and `disable`, which turn a job on from now, or off.
import { refuseAgents } from '../consent.ts'
import { formatMinute } from '../io/date.ts'
import { doneOptions, printDone } from '../io/done-line.ts'
import { type CommandArgs, type CommandIo, stringArg, type Verb } from '../verb.ts'
import { withJobs } from './job-access.ts'

const job = [{ name: 'JOB', describe: 'Name, id or beginning of an id', required: true }]

export const enable: Verb = {
  name: 'cron enable',
  summary: 'Turn a job on again, from its next time on',
  usage: 'cron enable JOB [flags]',
  positionals: job,
  options: doneOptions,
  examples: [['anode cron enable nightly', 'Runs that were missed meanwhile do not start']],
  run: (args, io) => switchJob(args, io, true),
}

export const disable: Verb = {
  name: 'cron disable',
  summary: 'Turn a job off; a run that has started continues',
  usage: 'cron disable JOB [flags]',
  positionals: job,
  options: doneOptions,
  examples: [['anode cron disable nightly', 'It stays in the list']],
  run: (args, io) => switchJob(args, io, false),
}

async function switchJob(args: CommandArgs, io: CommandIo, enabled: boolean): Promise<number> {
  refuseAgents(io)
  const { name, next } = await withJobs(io, (jobs) => jobs.enable(stringArg(args, 'JOB') ?? '', enabled))
  const text = next === null ? `${name} is off\n` : `${name} is on, next at ${formatMinute(next)}\n`
  const time = next === null ? null : new Date(next).toISOString()
  printDone(args, io, text, { job: name, enabled: next !== null, next: time })
  return 0
}
