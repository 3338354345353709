// The command `anode mcp logout`, which deletes the stored tokens for one server and the registration of
// Anode with it.
import { logOutOfServer, withMcpServers } from '../../../internal/service/mcp/mcp-servers.ts'
import { refuseAgents } from '../consent.ts'
import { deleteItems, deletionOptions } from '../io/deletion.ts'
import type { CommandArgs, CommandIo, Verb } from '../verb.ts'

export const logout: Verb = {
  name: 'mcp logout',
  summary: 'Forget the login at a server',
  usage: 'mcp logout SERVER [flags]',
  positionals: [{ name: 'SERVER', describe: 'Name of the server', required: true }],
  options: deletionOptions,
  examples: [['anode mcp logout github', 'Its file of tokens is removed']],
  run: async (args: CommandArgs, io: CommandIo) => {
    refuseAgents(io)
    return withMcpServers(io, async ({ servers, data }) => {
      const member = servers.find(String(args.SERVER))
      const { name } = member.server
      const items = [
        { kind: 'login', id: name, about: `the login at ${name}`, done: `logged out of ${name}` },
      ]
      return deleteItems({ command: ['mcp', 'logout', name], items }, args, io, () =>
        logOutOfServer(member, data),
      )
    })
  },
}
