// The command `anode cron next`, which prints the next times at which a schedule is due, in UTC.
import { UserError } from '../../../internal/base/errors.ts'
import { listSlots } from '../../../internal/service/features/workspace-jobs.ts'
import { exitCodes } from '../exit-codes.ts'
import { readNumber } from '../flags.ts'
import { formatJson } from '../io/json.ts'
import { writeText } from '../io/streams.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg, type Verb } from '../verb.ts'
import { asUserError, formatSlot } from './job-access.ts'

const maxCount = 1_000

export const next: Verb = {
  name: 'cron next',
  summary: 'Show when a schedule is due next, in UTC',
  usage: 'cron next SCHEDULE [flags]',
  positionals: [{ name: 'SCHEDULE', describe: 'As for cron add', required: true }],
  options: {
    timezone: { type: 'string', describe: 'Zone of the schedule (default: the local one)', value: 'ZONE' },
    from: { type: 'string', describe: 'Moment after which to look (default: now)', value: 'WHEN' },
    count: { type: 'number', describe: 'How many, up to 1000', default: 5, value: 'N' },
    json: { type: 'boolean', describe: 'Print JSON' },
  },
  examples: [
    [
      'anode cron next "15 2 * * *" --timezone Europe/Berlin --from 2026-10-24',
      'Over a change of the clocks',
    ],
  ],
  run: async (args: CommandArgs, io: CommandIo) => {
    const from = stringArg(args, 'from')
    const after = from === undefined ? Date.now() : Date.parse(from)
    const count = readNumber(args, 'count', 1, maxCount) ?? 5
    if (Number.isNaN(after))
      throw new UserError(`--from ${from} is not a date or time`, {
        hint: 'write 2026-10-24 or 2026-10-24T12:00Z',
      })
    const slots = readSchedule(() =>
      listSlots(stringArg(args, 'SCHEDULE') ?? '', stringArg(args, 'timezone'), { after, count }),
    )
    const texts = slots.map(formatSlot)
    await writeText(
      io.stdout,
      flagArg(args, 'json') ? formatJson(texts, 2) : texts.map((t) => `${t}\n`).join(''),
    )
    return exitCodes.done
  },
}

function readSchedule<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw asUserError(error)
  }
}
