// The command `anode research log`, which writes the measured run to the ledger (the record of all
// runs). It commits the changes of a kept run. By default it reverts those of a run that is neither kept
// nor the baseline.
import { formatOutcome } from '../../../internal/research/report/format.ts'
import type { LoggedRun, LogOrder } from '../../../internal/research/session.ts'
import { type CommandArgs, type CommandIo, numberArg, stringArg, type Verb } from '../verb.ts'
import { printValue, sessionOptions, withResearch } from './session-access.ts'

export const log: Verb = {
  name: 'research log',
  summary: 'Log the measured run: keep commits it, anything else takes its changes back',
  usage: 'research log [--status S] [flags]',
  options: {
    status: {
      type: 'string',
      describe: 'The decision; by default the verdict of the run',
      choices: ['baseline', 'keep', 'discard', 'crash', 'checks_failed'],
    },
    'metric-value': { type: 'number', describe: 'Another value than the measured one', value: 'X' },
    description: { type: 'string', describe: 'What the run changed', value: 'T' },
    'commit-message': { type: 'string', describe: 'Subject of the commit of a keep', value: 'T' },
    run: { type: 'number', describe: 'Which run, when several wait', value: 'N' },
    restore: {
      type: 'boolean',
      describe: 'Undo changes that are not kept; --no-restore leaves them',
      default: true,
    },
    ...sessionOptions,
  },
  examples: [
    ['anode research log', 'As the run ended: keep, discard, …'],
    ['anode research log --status keep --description "compiled with -O3"', 'Commits the changed files alone'],
  ],
  run: logRun,
}

async function logRun(args: CommandArgs, io: CommandIo): Promise<number> {
  const status = stringArg(args, 'status')
  const order = {
    status: status as LogOrder['status'],
    metricValue: numberArg(args, 'metric-value'),
    description: stringArg(args, 'description'),
    commitMessage: stringArg(args, 'commit-message'),
    run: numberArg(args, 'run'),
    restore: args.restore === false ? false : undefined,
  }
  return withResearch(args, io, async ({ research }) => {
    const logged = await research.log(order)
    await printValue(args, io, logged, () => loggedLines(logged))
    return 0
  })
}

function loggedLines({ line, commit, restored, stopped, notes }: LoggedRun): string[] {
  return [
    `run ${line.run} logged: ${formatOutcome(line)}`,
    ...(commit === null ? [] : [`commit ${commit.slice(0, 12)}`]),
    ...(restored.length > 0 ? [`restored: ${restored.join(', ')}`] : []),
    ...(stopped ? ['the session has stopped: max_runs is reached'] : []),
    ...notes.map((note) => `note: ${note}`),
  ]
}
