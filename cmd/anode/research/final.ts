// `anode research final`: best against baseline on fresh pairs, the only measurement that may be called a gain.
import { overview } from '../../../internal/research/report/overview.ts'
import { finalWords } from '../../../internal/research/report/status.ts'
import { type Args, type Io, num, type Verb } from '../verb.ts'
import { narrator } from './narrate.ts'
import { given, say, seedOption, sessionOptions, whole, withSession } from './open.ts'

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
  run: conclude,
}

async function conclude(args: Args, io: Io): Promise<number> {
  const pairs = whole(args, 'pairs', 20) ?? 20
  const shown = narrator(args, io)
  return withSession(
    args,
    io,
    async ({ research }) => {
      const line = await research.final({ pairs, ...given('seed', num(args, 'seed')) })
      shown.done()
      const view = overview(await research.state())
      await say(args, io, line, () => [view ? finalWords(view) : ''])
      return 0
    },
    shown.tell,
  ).finally(shown.done)
}
