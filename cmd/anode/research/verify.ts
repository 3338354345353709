// `anode research verify`: checks ledger, commits and locks without changing anything.
import { exit } from '../exit.ts'
import type { Args, Io, Verb } from '../verb.ts'
import { say, sessionOptions, withSession } from './open.ts'

export const verify: Verb = {
  name: 'research verify',
  summary: 'Check that ledger, copy, commits, locks and verdicts agree; exit 5 when they do not',
  usage: 'research verify [flags]',
  options: sessionOptions,
  examples: [['anode research verify', 'Every decision can be checked afterwards']],
  run: (args, io) => check(args, io),
}

function check(args: Args, io: Io): Promise<number> {
  return withSession(args, io, async ({ research }) => {
    const verified = await research.verify()
    const { ok, lines, problems } = verified
    await say(args, io, verified, () => [
      ...problems,
      ok ? `${lines} lines, all in order` : `${problems.length} problems`,
    ])
    return ok ? exit.done : exit.unverified
  })
}
