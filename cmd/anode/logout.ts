// The command `anode logout`, which deletes the stored key of a model provider.
import {
  forgetProviderKey,
  hasProviderKey,
  requireKeyedProvider,
} from '../../internal/service/models/provider-keys.ts'
import { refuseAgents } from './consent.ts'
import { deleteItems, deletionOptions } from './io/deletion.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg, type Verb } from './verb.ts'

export const logout: Verb = {
  name: 'logout',
  summary: 'Forget the stored key of a model provider',
  usage: 'logout PROVIDER [flags]',
  positionals: [{ name: 'PROVIDER', describe: 'As given to `anode login`', required: true }],
  options: deletionOptions,
  examples: [['anode logout anthropic', 'Forget it']],
  run: async (args: CommandArgs, io: CommandIo) => {
    refuseAgents(io)
    const provider = requireKeyedProvider(stringArg(args, 'PROVIDER') ?? '')
    const done = `The key of ${provider} is forgotten.`
    const items = [{ kind: 'key', id: provider, about: `the stored key of ${provider}`, done }]
    if (hasProviderKey(io.env, provider))
      return deleteItems({ command: ['logout', provider], items }, args, io, () =>
        forgetProviderKey(io.env, provider),
      )
    io.stdout.write(flagArg(args, 'json') ? '{"deleted":[]}\n' : `No key of ${provider} was stored.\n`)
    return 0
  },
}
