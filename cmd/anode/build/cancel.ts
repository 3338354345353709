// `anode build cancel`: ends a build after the current step of its workers.
import { cancelBuild } from '../../../internal/service/build/known-builds.ts'
import { exitCodes } from '../exit-codes.ts'
import { formatJson } from '../io/json.ts'
import { writeText } from '../io/streams.ts'
import { flagArg, type Verb } from '../verb.ts'
import { buildPositional, jsonOption, readBuildName } from './shared.ts'

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
