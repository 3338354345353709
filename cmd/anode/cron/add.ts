// The command `anode cron add`, which schedules a task, a question or a loop of experiments.
import { UserError } from '../../../internal/base/errors.ts'
import type { CronJob, CronKind } from '../../../internal/store/cron/cron-store.ts'
import type { CronRequest } from '../../../internal/tool/cron-jobs.ts'
import { parseDuration } from '../../../internal/tui/duration.ts'
import { refuseAgents } from '../consent.ts'
import { exitCodes } from '../exit-codes.ts'
import { formatMinute } from '../io/date.ts'
import { formatJson } from '../io/json.ts'
import { fitLines } from '../io/prose.ts'
import { writeText } from '../io/streams.ts'
import { readUntilCommands } from '../until-flags.ts'
import { untilOption } from '../until-options.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg, type Verb } from '../verb.ts'
import { withJobs } from './job-access.ts'

/** Flags of each kind of job that are passed on to the command that the job runs. */
const passedFlags: Readonly<Record<CronKind, readonly string[]>> = {
  execute: ['profile', 'model', 'toolset', 'timeout', 'budget-usd', 'until'],
  study: ['model', 'budget-usd'],
  research: ['profile', 'model', 'timeout', 'budget-usd'],
}

export const add: Verb = {
  name: 'cron add',
  summary: 'Run something in this workspace on a schedule',
  usage: 'cron add SCHEDULE --execute TASK [flags]',
  positionals: [
    {
      name: 'SCHEDULE',
      describe: 'Minute, hour, day, month, weekday: "0 7 * * 1-5"; or @hourly, @daily, @weekly …',
      required: true,
    },
  ],
  options: {
    execute: { type: 'string', describe: 'Run an agent on this task', value: 'TASK' },
    study: { type: 'string', describe: 'Study this question', value: 'QUESTION' },
    research: {
      type: 'string',
      describe: 'Continue the experiments of this workspace: random, scripted:FILE or model',
      value: 'POLICY',
    },
    name: { type: 'string', describe: 'Name of the job (default: the first words)', value: 'NAME' },
    timezone: { type: 'string', describe: 'Zone of the schedule (default: the local one)', value: 'ZONE' },
    profile: { type: 'string', describe: 'Profile of the agent', value: 'NAME' },
    model: { type: 'string', describe: 'provider/model', value: 'MODEL' },
    toolset: { type: 'string', describe: 'Tools under the names of another program', value: 'NAME' },
    timeout: { type: 'string', describe: 'Stop a run after this time (default 1h; not a study)', value: 'D' },
    'budget-usd': { type: 'number', describe: 'Stop a run at this cost in US dollars', value: 'USD' },
    until: untilOption,
    json: { type: 'boolean', describe: 'Print JSON' },
  },
  foreignFlags: { prompt: '--execute', task: '--execute', tz: '--timezone', agent: '--profile' },
  examples: [
    ['anode cron add "0 7 * * 1-5" --execute "What changed since yesterday?"', 'Each working day at seven'],
    ['anode cron add @daily --execute "Fix the tests" --until "npm test"', 'Done only when they pass'],
    ['anode cron add @weekly --study "Which of our dependencies are no longer kept?"', 'A report a week'],
    ['anode cron add "0 1 * * *" --research model --timeout 5h --budget-usd 3', 'Experiments at night'],
  ],
  run: addJob,
}

async function addJob(args: CommandArgs, io: CommandIo): Promise<number> {
  refuseAgents(io)
  const request = readRequest(args)
  return withJobs(io, async (jobs) => {
    const job = await jobs.create(request)
    const crontab = jobs.crontabLine()
    const text = flagArg(args, 'json') ? formatJson({ ...job, crontab }, 2) : describeAdded(job, crontab, io)
    await writeText(io.stdout, text)
    return exitCodes.done
  })
}

function readRequest(args: CommandArgs): CronRequest {
  const kinds: readonly CronKind[] = ['execute', 'study', 'research']
  const [kind, ...more] = kinds.filter((name) => stringArg(args, name) !== undefined)
  if (kind === undefined || more.length > 0) {
    const message = kind === undefined ? 'there is nothing to run' : 'a job runs one thing'
    const hint = 'give one of --execute TASK, --study QUESTION, --research POLICY'
    throw new UserError(message, { hint })
  }
  const timeout = stringArg(args, 'timeout')
  if (timeout !== undefined) parseDuration(timeout)
  const until = readChecks(args)
  const flagNames = passedFlags.execute.filter((name) =>
    name === 'until' ? until !== undefined : args[name] !== undefined,
  )
  const stray = flagNames.find((name) => !passedFlags[kind].includes(name))
  if (stray !== undefined) {
    const hint = `it takes ${passedFlags[kind].map((name) => `--${name}`).join(', ')}`
    throw new UserError(`--${stray} is not for --${kind}`, { hint })
  }
  const name = stringArg(args, 'name')
  const timezone = stringArg(args, 'timezone')
  return {
    schedule: stringArg(args, 'SCHEDULE') ?? '',
    kind,
    prompt: stringArg(args, kind) ?? '',
    flags: Object.fromEntries(
      flagNames.map((flag) => [flag, (flag === 'until' && until) || String(args[flag])]),
    ),
    name,
    timezone,
  }
}

/**
 * Returns the commands of the flag `--until`, one a line; undefined without the flag. Throws UserError for a
 * command that is empty or has several lines.
 */
function readChecks(args: CommandArgs): string | undefined {
  const commands = readUntilCommands(args)
  if (commands.some((command) => command.includes('\n')))
    throw new UserError('a command of --until has several lines', {
      hint: 'write it into a script, and name the script',
    })
  return commands.length > 0 ? commands.join('\n') : undefined
}

function describeAdded(job: CronJob, crontab: string, io: CommandIo): string {
  const { name, schedule, timezone, next } = job
  const words = [
    `${name}: ${schedule} (${timezone}), first at ${next === null ? 'no time' : formatMinute(next)}`,
    '',
    'It runs only while a scheduler does: keep `anode cron run` running, or put this line ' +
      'into your crontab (crontab -e), with the variables of your model before it:',
    '',
  ]
  // The line for crontab is not wrapped, because users copy it.
  return `${fitLines(words.join('\n'), io)}\n${crontab}\n`
}
