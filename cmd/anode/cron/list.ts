// The command `anode cron list`, which prints the scheduled jobs of this workspace.
import { formatMinute } from '../io/date.ts'
import { formatJson } from '../io/json.ts'
import { explainNoRows } from '../io/prose.ts'
import { writeText } from '../io/streams.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'
import { describeRunJson, withJobs } from './job-access.ts'

export const list: Verb = {
  name: 'cron list',
  summary: 'List the jobs of this workspace with their next and last run',
  usage: 'cron list [flags]',
  options: { json: { type: 'boolean', describe: 'Print JSON' } },
  examples: [['anode cron list', 'What runs when, and how it went']],
  run: (args: CommandArgs, io: CommandIo) =>
    withJobs(io, async (jobs) => {
      const all = await jobs.list()
      if (flagArg(args, 'json')) {
        const rows = all.map(({ last, flags, ...job }) => ({
          ...job,
          profile: flags['profile'] ?? null,
          flags,
          last: last ? describeRunJson(last) : null,
        }))
        await writeText(io.stdout, formatJson(rows, 2))
      } else if (all.length === 0) {
        explainNoRows('No jobs in this workspace. `anode cron add --help` shows how to add one.', io)
      } else {
        const rows = all.map((job) => [
          ...[job.name, job.kind, job.schedule, job.timezone, job.flags['profile'] ?? ''],
          job.next === null ? 'off' : formatMinute(job.next),
          job.last ? `${job.last.state} ${formatMinute(job.last.slot)}` : '',
        ])
        const head = ['name', 'runs', 'schedule', 'timezone', 'profile', 'next', 'last']
        await writeText(io.stdout, await formatTable(head, rows, io))
      }
      return 0
    }),
}
