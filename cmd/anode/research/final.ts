// The command `anode research final`, which compares the best commit with the baseline on new pairs of runs,
// one run of each commit.
import { buildOverview } from '../../../internal/research/report/overview.ts'
import { finalWords } from '../../../internal/research/report/status-lines.ts'
import { readNumber } from '../flags.ts'
import { type CommandArgs, type CommandIo, numberArg, type Verb } from '../verb.ts'
import { openNarrator } from './progress-narrator.ts'
import { printValue, seedOption, sessionOptions, withResearch } from './session-access.ts'

export { finalize } from './finalize.ts'

export const final: Verb = {
  name: 'research final',
  summary: 'Measure the best against the baseline anew; only this may be called a gain',
  usage: 'research final [flags]',
  options: {
    pairs: { type: 'number', describe: 'Fresh pairs, at least 20', default: 20, value: 'N' },
    seed: seedOption,
    ...sessionOptions,
  },
  examples: [['anode research final --pairs 40', 'A narrower interval']],
  run: runFinal,
}

async function runFinal(args: CommandArgs, io: CommandIo): Promise<number> {
  const pairs = readNumber(args, 'pairs', 20) ?? 20
  const narrator = openNarrator(args, io)
  return withResearch(
    args,
    io,
    async ({ research }) => {
      const line = await research.final({ pairs, seed: numberArg(args, 'seed') })
      narrator.done()
      const view = buildOverview(await research.state())
      await printValue(args, io, line, () => [view ? finalWords(view) : ''])
      return 0
    },
    narrator.tell,
  ).finally(narrator.done)
}
