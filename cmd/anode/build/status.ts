// The command `anode build status`, which prints the current state of a build.
import { readBuild } from '../../../internal/service/build/known-builds.ts'
import { exitCodes } from '../exit-codes.ts'
import { flagArg, type Verb } from '../verb.ts'
import { buildPositional, jsonOption, printBuild, readBuildName } from './shared.ts'

export const status: Verb = {
  name: 'build status',
  summary: 'Show the state of a build: its tasks, queue and branch',
  usage: 'build status [ID] [flags]',
  positionals: [buildPositional],
  options: { json: jsonOption },
  examples: [['anode build status last', 'The latest build of this workspace']],
  run: async (args, io) => {
    await printBuild(await readBuild(readBuildName(args), io), flagArg(args, 'json'), io)
    return exitCodes.done
  },
}
