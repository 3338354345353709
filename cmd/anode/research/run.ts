// The command `anode research run`, which measures the workspace or a candidate (another worktree). The
// result stays pending until `anode research log` records it.
import type { RunResult } from '../../../internal/research/ledger/experiment-run.ts'
import { resultLines } from '../../../internal/research/report/result-lines.ts'
import { parseDuration } from '../../../internal/tui/duration.ts'
import { exitCodes } from '../exit-codes.ts'
import { type CommandArgs, type CommandIo, flagArg, numberArg, stringArg, type Verb } from '../verb.ts'
import { openNarrator } from './progress-narrator.ts'
import { printValue, seedOption, sessionOptions, withResearch } from './session-access.ts'

export const run: Verb = {
  name: 'research run',
  summary: 'Measure what has changed against the best so far; the result waits for research log',
  usage: 'research run [flags]',
  options: {
    candidate: { type: 'string', describe: 'Measure this worktree instead of the workspace', value: 'DIR' },
    cmd: { type: 'string', describe: 'Another command for this run', value: 'C' },
    timeout: { type: 'string', describe: 'Stop one execution after this time', value: 'D' },
    'checks-timeout': { type: 'string', describe: 'Stop the checks after this time', value: 'D' },
    description: { type: 'string', describe: 'A description of the change', value: 'T' },
    'accept-implausible': { type: 'boolean', describe: 'Believe an effect beyond --max-plausible' },
    seed: seedOption,
    ...sessionOptions,
  },
  examples: [['anode research run', 'The first run measures the baseline']],
  run: measureRun,
}

async function measureRun(args: CommandArgs, io: CommandIo): Promise<number> {
  const timeout = stringArg(args, 'timeout')
  const checksTimeout = stringArg(args, 'checks-timeout')
  const description = stringArg(args, 'description')
  const order = {
    candidate: stringArg(args, 'candidate'),
    command: stringArg(args, 'cmd'),
    description,
    seed: numberArg(args, 'seed'),
    timeoutMs: timeout === undefined ? undefined : parseDuration(timeout),
    checksTimeoutMs: checksTimeout === undefined ? undefined : parseDuration(checksTimeout),
    acceptImplausible: flagArg(args, 'accept-implausible') ? true : undefined,
  }
  const narrator = openNarrator(args, io)
  return withResearch(
    args,
    io,
    async ({ research }) => {
      const ran = await research.run(order)
      narrator.done()
      const baseline = (await research.state()).active?.baseline
      const runContext = {
        baseline: baseline ? { value: baseline.value, floorPct: baseline.floor_pct } : undefined,
        description,
      }
      await printValue(args, io, ran, () => resultLines(ran, runContext))
      return codeOf(ran)
    },
    narrator.tell,
  ).finally(narrator.done)
}

/**
 * Returns the exit code for a run: 1 for a crash and for failed checks, 5 if a locked file was changed. Any
 * other measured change is a success, even if it is not kept.
 */
function codeOf({ status, reason }: RunResult): number {
  if (reason === 'lock_violation') return exitCodes.unverified
  return status === 'crash' || status === 'checks_failed' ? exitCodes.failed : exitCodes.done
}
