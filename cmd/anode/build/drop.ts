// `anode build drop`: removes a build with its branch and its worktrees.
import { dropBuild } from '../../../internal/service/build/finished-build.ts'
import { exitCodes } from '../exit-codes.ts'
import { formatJson } from '../io/json.ts'
import { writeText } from '../io/streams.ts'
import { flagArg, type Verb } from '../verb.ts'
import { buildPositional, jsonOption, readBuildName } from './shared.ts'

export const drop: Verb = {
  name: 'build drop',
  summary: 'Remove a build with its branch and its worktrees',
  usage: 'build drop ID [flags]',
  positionals: [{ ...buildPositional, required: true }],
  options: {
    force: { type: 'boolean', describe: 'Also if its branch has commits that no other branch has' },
    json: jsonOption,
  },
  examples: [['anode build drop last', 'After its branch is merged']],
  run: async (args, io) => {
    const dropped = await dropBuild(readBuildName(args), flagArg(args, 'force'), io)
    const text = `build ${dropped.id} is dropped\n`
    await writeText(io.stdout, flagArg(args, 'json') ? formatJson(dropped) : text)
    return exitCodes.done
  },
}
