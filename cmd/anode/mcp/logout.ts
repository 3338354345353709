// `anode mcp logout`: forgets the tokens and the registration of one server.
import { logoutOf, withServers } from '../../../internal/host/extensions/mcp.ts'
import { refuseAgents } from '../consent.ts'
import type { Args, Io, Verb } from '../verb.ts'

export const logout: Verb = {
  name: 'mcp logout',
  summary: 'Forget the login at a server',
  usage: 'mcp logout SERVER',
  positionals: [{ name: 'SERVER', describe: 'Name of the server', required: true }],
  options: {},
  examples: [['anode mcp logout github', 'Its file of tokens is removed']],
  run: async (args: Args, io: Io) => {
    refuseAgents(io)
    return withServers(io, async ({ servers, data }) => {
      const member = servers.find(String(args.SERVER))
      logoutOf(member, data)
      io.stdout.write(`logged out of ${member.server.name}\n`)
      return 0
    })
  },
}
