// The commands `anode build merge`, `drop` and `cancel`, which merge, remove or stop a build.
import { dropBuild, mergeBuild } from '../../../internal/service/build/finished-build.ts'
import { cancelBuild } from '../../../internal/service/build/known-builds.ts'
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

export const cancel: Verb = {
  name: 'build cancel',
  summary: 'End a build after the current step of its workers; resume continues it',
  usage: 'build cancel [ID] [flags]',
  positionals: [buildPositional],
  options: { json: jsonOption },
  examples: [['anode build cancel', 'The latest build of this workspace']],
  run: async (args, io) => {
    const { id, cancelled } = await cancelBuild(readBuildName(args), io)
    const text = cancelled ? `build ${id} is cancelled\n` : `build ${id} had ended already\n`
    await writeText(io.stdout, flagArg(args, 'json') ? formatJson({ id, cancelled }) : text)
    return exitCodes.done
  },
}
