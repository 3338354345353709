// `anode mcp remove`: takes a server out of the file it stands in, with its login and what was approved of it.
import { removeServer, type ServerScope } from '../../../internal/host/extensions/server-edit.ts'
import { surroundings } from '../../../internal/host/surroundings.ts'
import { refuseAgents } from '../consent.ts'
import { type Args, type Io, str, type Verb } from '../verb.ts'

export const remove: Verb = {
  name: 'mcp remove',
  summary: 'Remove a server from the file it stands in, and forget its login',
  usage: 'mcp remove NAME [flags]',
  positionals: [{ name: 'NAME', describe: 'Name of the server', required: true }],
  options: {
    scope: {
      type: 'string',
      describe: 'Only from files of yours, or of this workspace; default: wherever it is found first',
      choices: ['user', 'workspace'],
    },
  },
  examples: [['anode mcp remove memory', 'Its tools are gone at the next start']],
  run: async (args: Args, io: Io) => {
    refuseAgents(io)
    const name = str(args, 'NAME') ?? ''
    const scope = str(args, 'scope') as ServerScope | undefined
    const path = await removeServer(await surroundings(io.cwd, io.env), name, scope)
    io.stdout.write(`${name} is removed from ${path}\n`)
    return 0
  },
}
