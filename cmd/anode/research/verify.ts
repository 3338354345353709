// The command `anode research verify`, which checks the ledger (the record of all runs), commits and locked
// files without changing anything.
import { countNoun } from '../../../internal/base/text/count-noun.ts'
import { exitCodes } from '../exit-codes.ts'
import type { CommandArgs, CommandIo, Verb } from '../verb.ts'
import { printValue, sessionOptions, withResearch } from './session-access.ts'

export const verify: Verb = {
  name: 'research verify',
  summary: 'Check that ledger, copy, commits, locks and verdicts agree; exit 5 when they do not',
  usage: 'research verify [flags]',
  options: sessionOptions,
  examples: [['anode research verify', 'Every decision can be checked afterwards']],
  run: (args, io) => verifySession(args, io),
}

function verifySession(args: CommandArgs, io: CommandIo): Promise<number> {
  return withResearch(args, io, async ({ research }) => {
    const verified = await research.verify()
    const { ok, lines, problems } = verified
    await printValue(args, io, verified, () => [
      ...problems,
      ok ? `${countNoun(lines, 'line')}, all in order` : countNoun(problems.length, 'problem'),
    ])
    return ok ? exitCodes.done : exitCodes.unverified
  })
}
