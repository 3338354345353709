// The command `anode cron remove`, which deletes a job with its history. The threads of its runs stay.
import { refuseAgents } from '../consent.ts'
import { deleteItems, deletionOptions } from '../io/deletion.ts'
import { type CommandArgs, type CommandIo, stringArg, type Verb } from '../verb.ts'
import { withJobs } from './job-access.ts'

export const remove: Verb = {
  name: 'cron remove',
  summary: 'Remove a job and its history; the threads of its runs stay',
  usage: 'cron remove JOB [flags]',
  positionals: [{ name: 'JOB', describe: 'Name, id or beginning of an id', required: true }],
  options: deletionOptions,
  examples: [['anode cron remove what-changed-since-yesterday', 'By the name that cron list shows']],
  run: async (args: CommandArgs, io: CommandIo) => {
    refuseAgents(io)
    const { id, name } = await withJobs(io, (jobs) => jobs.find(stringArg(args, 'JOB') ?? ''))
    const items = [{ kind: 'job', id, about: `job ${name} (${id})`, done: `${name} removed` }]
    return deleteItems({ command: ['cron', 'remove', name], items }, args, io, () =>
      withJobs(io, (jobs) => jobs.remove(id)),
    )
  },
}
