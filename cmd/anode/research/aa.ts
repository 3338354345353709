// The command `anode research aa`, a test of the measurement itself. Every candidate equals the baseline, so
// every one that is kept is a false success.

import { countNoun } from '../../../internal/base/text/count-noun.ts'
import { formatSigned } from '../../../internal/research/report/format.ts'
import type { AaTestResult } from '../../../internal/research/session.ts'
import { ensureExperimentSession } from '../../../internal/service/research/auto-run.ts'
import { readNumber } from '../flags.ts'
import { type CommandArgs, type CommandIo, numberArg, type Verb } from '../verb.ts'
import { openNarrator } from './progress-narrator.ts'
import { printValue, seedOption, sessionOptions, withResearch } from './session-access.ts'

export const aa: Verb = {
  name: 'research aa',
  summary: 'Null test: measure the baseline against itself and count what would be kept',
  usage: 'research aa [flags]',
  options: {
    candidates: { type: 'number', describe: 'Candidates that are measured', default: 30, value: 'N' },
    seed: seedOption,
    ...sessionOptions,
  },
  examples: [
    ['anode research aa --candidates 30', 'Also prints what "one sample beats best" would have claimed'],
  ],
  run: runAaTest,
}

async function runAaTest(args: CommandArgs, io: CommandIo): Promise<number> {
  const candidates = readNumber(args, 'candidates', 1) ?? 30
  const narrator = openNarrator(args, io)
  return withResearch(
    args,
    io,
    async ({ research }) => {
      await ensureExperimentSession(research, io.cwd)
      const result = await research.aa({ candidates, seed: numberArg(args, 'seed') })
      narrator.done()
      await printValue(args, io, result, () => formatResult(result))
      return 0
    },
    narrator.tell,
  ).finally(narrator.done)
}

function formatResult(result: AaTestResult): string[] {
  const { candidates, false_keeps, naive_keeps, naive_claimed_pct, floor_pct, pairs } = result
  const size = `${countNoun(candidates, 'candidate')} equal to the baseline, ${countNoun(pairs, 'pair')}`
  const claimed = formatSigned(naive_claimed_pct, result)
  return [
    `${size}, floor ${floor_pct.toFixed(1)}%`,
    `kept by the judge: ${false_keeps}`,
    `kept by "one sample beats best": ${naive_keeps}, which would claim ${claimed}`,
  ]
}
