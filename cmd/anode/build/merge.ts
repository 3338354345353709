// `anode build merge`: moves the checked-out branch forward to the branch of the build.
import { mergeBuild } from '../../../internal/service/build/finished-build.ts'
import { exitCodes } from '../exit-codes.ts'
import { formatJson } from '../io/json.ts'
import { writeText } from '../io/streams.ts'
import { flagArg, type Verb } from '../verb.ts'
import { buildPositional, jsonOption, readBuildName } from './shared.ts'

export const merge: Verb = {
  name: 'build merge',
  summary: 'Move your branch forward to the branch of the build; pushes nothing',
  usage: 'build merge [ID] [flags]',
  positionals: [buildPositional],
  options: { json: jsonOption },
  examples: [['anode build merge', 'Your checkout must be clean, and its branch unchanged']],
  run: async (args, io) => {
    const merged = await mergeBuild(readBuildName(args), io)
    const { into, commit, commits } = merged
    const text = `${into} is at ${commit.slice(0, 10)} (${commits} more)\n`
    await writeText(io.stdout, flagArg(args, 'json') ? formatJson(merged) : text)
    return exitCodes.done
  },
}
