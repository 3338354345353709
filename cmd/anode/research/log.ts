// `anode research log`: puts the measured run into the ledger, keeping or taking back what it changed.
import { outcome } from '../../../internal/research/report/words.ts'
import type { Logged, LogOrder } from '../../../internal/research/session.ts'
import { type Args, type Io, num, str, type Verb } from '../verb.ts'
import { given, say, sessionOptions, withSession } from './open.ts'

export const log: Verb = {
  name: 'research log',
  summary: 'Log the measured run: keep commits it, anything else takes its changes back',
  usage: 'research log [--status S] [flags]',
  options: {
    status: {
      type: 'string',
      describe: 'What became of it; otherwise the verdict of the run',
      choices: ['baseline', 'keep', 'discard', 'crash', 'checks_failed'],
    },
    'metric-value': { type: 'number', describe: 'Another value than the measured one', value: 'X' },
    description: { type: 'string', describe: 'What the run changed', value: 'T' },
    'commit-message': { type: 'string', describe: 'Subject of the commit of a keep', value: 'T' },
    run: { type: 'number', describe: 'Which run, when several wait', value: 'N' },
    restore: {
      type: 'boolean',
      describe: 'Take back what is not kept; --no-restore leaves it',
      default: true,
    },
    ...sessionOptions,
  },
  examples: [
    ['anode research log', 'As the run ended: keep, discard, …'],
    ['anode research log --status keep --description "compiled with -O3"', 'Commits the changed files alone'],
  ],
  run: enter,
}

async function enter(args: Args, io: Io): Promise<number> {
  const status = str(args, 'status')
  const order = {
    ...given('status', status as LogOrder['status']),
    ...given('metricValue', num(args, 'metric-value')),
    ...given('description', str(args, 'description')),
    ...given('commitMessage', str(args, 'commit-message')),
    ...given('run', num(args, 'run')),
    ...(args.restore === false && { restore: false }),
  }
  return withSession(args, io, async ({ research }) => {
    const logged = await research.log(order)
    await say(args, io, logged, () => loggedLines(logged))
    return 0
  })
}

function loggedLines({ line, commit, restored, stopped, notes }: Logged): string[] {
  return [
    `run ${line.run} logged: ${outcome(line)}`,
    ...(commit === null ? [] : [`commit ${commit.slice(0, 12)}`]),
    ...(restored.length > 0 ? [`put back: ${restored.join(', ')}`] : []),
    ...(stopped ? ['the session has stopped: max_runs is reached'] : []),
    ...notes.map((note) => `note: ${note}`),
  ]
}
