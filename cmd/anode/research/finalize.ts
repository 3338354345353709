// The command `anode research finalize`, which puts the kept commits on a new branch for review.
import { countNoun } from '../../../internal/base/text/count-noun.ts'
import { type CommandArgs, type CommandIo, stringArg, type Verb } from '../verb.ts'
import { printValue, sessionOptions, withResearch } from './session-access.ts'

export const finalize: Verb = {
  name: 'research finalize',
  summary: 'Put the kept commits on a new branch for review, and let rejected candidates go',
  usage: 'research finalize [--branch B]',
  options: {
    branch: { type: 'string', describe: 'Name of the new branch (default anode/SESSION-review)', value: 'B' },
    ...sessionOptions,
  },
  examples: [['anode research finalize --branch faster-sort', 'Your checkout stays where it is']],
  run: finalizeSession,
}

function finalizeSession(args: CommandArgs, io: CommandIo): Promise<number> {
  return withResearch(args, io, async ({ research }) => {
    const result = await research.finalize({ branch: stringArg(args, 'branch') })
    await printValue(args, io, result, () => [
      `${result.branch}  ${countNoun(result.commits.length, 'commit')} on ` + `${result.base.slice(0, 12)}`,
      ...result.commits.map(({ run, commit, subject }) => `${commit.slice(0, 12)}  run ${run}  ${subject}`),
      ...(result.released > 0 ? [`${result.released} rejected candidates are no longer held`] : []),
    ])
    return 0
  })
}
