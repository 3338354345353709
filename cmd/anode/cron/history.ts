// The command `anode cron history`, which prints the runs of a job, latest first and at most 20 by default.
import type { CronRun } from '../../../internal/store/cron/cron-store.ts'
import { readNumber } from '../flags.ts'
import { formatMinute } from '../io/date.ts'
import { formatJson } from '../io/json.ts'
import { writeText } from '../io/streams.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg, type Verb } from '../verb.ts'
import { describeRunJson, withJobs } from './job-access.ts'

export const history: Verb = {
  name: 'cron history',
  summary: 'Show the runs of a job, newest first, and where their results are',
  usage: 'cron history JOB [flags]',
  positionals: [{ name: 'JOB', describe: 'Name, id or beginning of an id', required: true }],
  options: {
    limit: { type: 'number', describe: 'At most this many', default: 20, value: 'N' },
    json: { type: 'boolean', describe: 'Print JSON' },
  },
  examples: [['anode cron history nightly --limit 5', 'Then: anode threads show THREAD']],
  run: (args: CommandArgs, io: CommandIo) =>
    withJobs(io, async (jobs) => {
      const runs = await jobs.history(stringArg(args, 'JOB') ?? '', readNumber(args, 'limit', 0) ?? 20)
      if (flagArg(args, 'json')) {
        await writeText(io.stdout, formatJson(runs.map(describeRunJson), 2))
      } else if (runs.length === 0) {
        await writeText(io.stdout, 'It has not run yet.\n')
      } else {
        const head = ['slot', 'state', 'took', 'thread', 'note']
        await writeText(io.stdout, await formatTable(head, runs.map(cellsOf), io))
      }
      return 0
    }),
}

function cellsOf({ slot, state, late, missed, started, ended: endTime, thread, note }: CronRun): string[] {
  const lateness = missed > 0 ? `late, for ${missed + 1} slots` : late ? 'late' : ''
  const took = started === null || endTime === null ? '' : `${Math.round((endTime - started) / 1000)} s`
  const words = [lateness, note.split('\n', 1)[0] ?? ''].filter((text) => text !== '').join('; ')
  return [formatMinute(slot), state, took, thread ?? '', words]
}
