// `anode mcp approve`: a person accepts a server as it is now, after its launch or its tools have changed.
import { approveServer, stateOf, unapproved, withServers } from '../../../internal/host/extensions/mcp.ts'
import { clean } from '../../../internal/render/clean.ts'
import type { Args, Io, Verb } from '../verb.ts'

export const approve: Verb = {
  name: 'mcp approve',
  summary: 'Accept a server whose start or tool descriptions have changed; look with `anode mcp show` first',
  usage: 'mcp approve SERVER',
  positionals: [{ name: 'SERVER', describe: 'Name of the server', required: true }],
  options: {},
  examples: [['anode mcp approve github', 'Its changed tools may be used again']],
  run: (args: Args, io: Io) =>
    withServers(io, async ({ servers, data }) => {
      const member = servers.find(String(args.SERVER))
      io.stderr.write(`${clean(member.server.name)} starts as ${clean(stateOf(member).launch)}\n`)
      for (const name of unapproved(member, data)) io.stderr.write(`  new or changed: ${clean(name)}\n`)
      const { demandConsent } = await import('../consent.ts')
      const instead = 'look with `anode mcp show`, then approve it yourself'
      await demandConsent('Its tools are offered to models as they are now. Approve?', instead, io)
      const fresh = await approveServer(member, data)
      io.stdout.write(`approved ${clean(stateOf(member).launch)}\n`)
      for (const name of fresh) io.stdout.write(`  ${clean(name)}\n`)
      return 0
    }),
}
