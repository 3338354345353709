// `anode config unset`: removes one key from the user's configuration file.
import { setConfigValue } from '../../../internal/runtime/workspace/config-files.ts'
import { refuseAgents } from '../consent.ts'
import { fitLines } from '../io/prose.ts'
import { type CommandArgs, type CommandIo, stringArg, type Verb } from '../verb.ts'

export const unset: Verb = {
  name: 'config unset',
  summary: 'Remove a value from your configuration file',
  usage: 'config unset KEY',
  positionals: [{ name: 'KEY', describe: 'Dotted name, such as model', required: true }],
  options: {},
  examples: [['anode config unset model', 'Back to the default']],
  run: async (args: CommandArgs, io: CommandIo) => {
    refuseAgents(io)
    const key = stringArg(args, 'KEY') ?? ''
    const file = await setConfigValue(io.env, key, undefined)
    io.stdout.write(fitLines(`${key} is no longer set in ${file}\n`, io))
    return 0
  },
}
