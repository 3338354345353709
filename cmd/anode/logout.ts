// `anode logout`: forgets a stored key.
import { forgetProviderKey, requireKeyedProvider } from '../../internal/service/models/provider-keys.ts'
import { refuseAgents } from './consent.ts'
import { type CommandArgs, type CommandIo, stringArg, type Verb } from './verb.ts'

export const logout: Verb = {
  name: 'logout',
  summary: 'Forget the stored key of a model provider',
  usage: 'logout PROVIDER',
  positionals: [{ name: 'PROVIDER', describe: 'As given to `anode login`', required: true }],
  options: {},
  examples: [['anode logout anthropic', 'Forget it']],
  run: async (args: CommandArgs, io: CommandIo) => {
    refuseAgents(io)
    const provider = requireKeyedProvider(stringArg(args, 'PROVIDER') ?? '')
    const was = await forgetProviderKey(io.env, provider)
    io.stdout.write(was ? `The key of ${provider} is forgotten.\n` : `No key of ${provider} was stored.\n`)
    return 0
  },
}
