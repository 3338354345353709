// `anode research run`: measures the workspace or a candidate; the result waits for `log`.
import { ranLines } from '../../../internal/research/report/ran.ts'
import type { Ran } from '../../../internal/research/session.ts'
import { duration } from '../execute.ts'
import { exit } from '../exit.ts'
import { type Args, flag, type Io, num, str, type Verb } from '../verb.ts'
import { narrator } from './narrate.ts'
import { given, say, seedOption, sessionOptions, withSession } from './open.ts'

export const run: Verb = {
  name: 'research run',
  summary: 'Measure what has changed against the best so far; the result waits for research log',
  usage: 'research run [flags]',
  options: {
    candidate: { type: 'string', describe: 'Measure this worktree instead of the workspace', value: 'DIR' },
    cmd: { type: 'string', describe: 'Another command for this run', value: 'C' },
    timeout: { type: 'string', describe: 'Stop one execution after this time', value: 'D' },
    'checks-timeout': { type: 'string', describe: 'Stop the checks after this time', value: 'D' },
    description: { type: 'string', describe: 'What has changed', value: 'T' },
    'accept-implausible': { type: 'boolean', describe: 'Believe an effect beyond --max-plausible' },
    seed: seedOption,
    ...sessionOptions,
  },
  examples: [['anode research run', 'The first run measures the baseline']],
  run: measure,
}

async function measure(args: Args, io: Io): Promise<number> {
  const timeout = str(args, 'timeout')
  const checksTimeout = str(args, 'checks-timeout')
  const description = str(args, 'description')
  const order = {
    ...given('candidate', str(args, 'candidate')),
    ...given('command', str(args, 'cmd')),
    ...given('description', description),
    ...given('seed', num(args, 'seed')),
    ...(timeout !== undefined && { timeoutMs: duration(timeout) }),
    ...(checksTimeout !== undefined && { checksTimeoutMs: duration(checksTimeout) }),
    ...(flag(args, 'accept-implausible') && { acceptImplausible: true }),
  }
  const shown = narrator(args, io)
  return withSession(
    args,
    io,
    async ({ research }) => {
      const ran = await research.run(order)
      shown.done()
      const baseline = (await research.state()).active?.baseline
      const known = {
        ...(baseline && { baseline: { value: baseline.value, floorPct: baseline.floor_pct } }),
        ...given('description', description),
      }
      await say(args, io, ran, () => ranLines(ran, known))
      return codeOf(ran)
    },
    shown.tell,
  ).finally(shown.done)
}

/** A discard is a success; a broken lock counts for more than the crash that it is. */
function codeOf({ status, reason }: Ran): number {
  if (reason === 'lock_violation') return exit.unverified
  return status === 'crash' || status === 'checks_failed' ? exit.failed : exit.done
}
