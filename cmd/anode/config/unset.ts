// The command `anode config unset`, which removes one key from the user's configuration file.
import { findUserConfigFile, setConfigValue } from '../../../internal/runtime/workspace/config-files.ts'
import { refuseAgents } from '../consent.ts'
import { deleteItems, deletionOptions } from '../io/deletion.ts'
import { fitLines } from '../io/prose.ts'
import { type CommandArgs, type CommandIo, stringArg, type Verb } from '../verb.ts'

export const unset: Verb = {
  name: 'config unset',
  summary: 'Remove a value from your configuration file',
  usage: 'config unset KEY [flags]',
  positionals: [{ name: 'KEY', describe: 'Dotted name, such as model', required: true }],
  options: deletionOptions,
  examples: [['anode config unset model', 'Back to the default']],
  run: async (args: CommandArgs, io: CommandIo) => {
    refuseAgents(io)
    const key = stringArg(args, 'KEY') ?? ''
    const file = findUserConfigFile(io.env)
    const done = fitLines(`${key} is no longer set in ${file}\n`, io).trimEnd()
    const items = [{ kind: 'setting', id: key, about: `${key} in ${file}`, done }]
    return deleteItems({ command: ['config', 'unset', key], items }, args, io, () =>
      setConfigValue(io.env, key, undefined),
    )
  },
}
