// The command `anode cron run`, which runs the scheduler in the foreground, or one job now.
import { runJobNow, runJobs } from '../../../internal/service/cron/scheduler-run.ts'
import type { CronJob, CronRun } from '../../../internal/store/cron/cron-store.ts'
import { exitCodes } from '../exit-codes.ts'
import { formatMinute } from '../io/date.ts'
import { formatJson } from '../io/json.ts'
import { writeText } from '../io/streams.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg, type Verb } from '../verb.ts'
import { runClaimed } from './claimed-run.ts'
import { asUserError, describeRunJson } from './job-access.ts'

export const run: Verb = {
  name: 'cron run',
  summary: 'Do what is due, in all workspaces of this user, until it is stopped',
  usage: 'cron run [JOB] [flags]',
  positionals: [{ name: 'JOB', describe: 'Only this job of this workspace, now and once' }],
  options: {
    once: { type: 'boolean', describe: 'Do what is due now, wait for it, and end; for a crontab' },
    claim: {
      type: 'string',
      describe: 'What a scheduler starts its runs with: the slot that it has claimed',
      value: 'RUN:CLAIM',
    },
    json: { type: 'boolean', describe: 'Print the runs as JSON when it ends' },
  },
  examples: [
    ['anode cron run', 'Keep it running: in a terminal, or as a service'],
    ['anode cron run --once', 'Every minute from crontab does the same'],
    ['anode cron run nightly', 'Try a job'],
  ],
  run: runVerb,
}

async function runVerb(args: CommandArgs, io: CommandIo): Promise<number> {
  const claim = stringArg(args, 'claim')
  if (claim !== undefined) return runClaimed(claim, io)
  const name = stringArg(args, 'JOB')
  const { env, signal } = io
  const json = flagArg(args, 'json')
  const runs = await (name === undefined
    ? runJobs({ env, signal, once: flagArg(args, 'once'), report: (one, job) => reportRun(one, job, io) })
    : runJobNow(io.cwd, name, { env, signal }).then((one) => [one])
  ).catch((error: unknown) => {
    throw asUserError(error)
  })
  if (json) await writeText(io.stdout, formatJson(runs.map(describeRunJson), 2))
  else if (name !== undefined) for (const one of runs) await writeText(io.stdout, describeRun(one))
  if (signal.aborted) return Number(process.exitCode ?? exitCodes.interrupted)
  return runs.every(({ state }) => state === 'done') ? exitCodes.done : exitCodes.failed
}

function reportRun({ slot, state, late }: CronRun, { name }: CronJob, io: CommandIo): void {
  const words = state === 'claimed' ? `started${late ? ' late' : ''}` : state
  io.stderr.write(`${formatMinute(slot)} ${name} ${words}\n`)
}

function describeRun({ state, thread, note }: CronRun): string {
  return [`${state}${thread === null ? '' : `  ${thread}`}`, note, '']
    .filter((t, i) => t !== '' || i > 1)
    .join('\n')
}
