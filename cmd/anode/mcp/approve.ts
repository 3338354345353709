// The command `anode mcp approve`, by which a user accepts a server whose launch or tools have changed.

import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import {
  approveServer,
  describeMcpServer,
  listUnapprovedTools,
  withMcpServers,
} from '../../../internal/service/mcp/mcp-servers.ts'
import { demandConsent } from '../consent.ts'
import { doneOptions, printDone } from '../io/done-line.ts'
import type { CommandArgs, CommandIo, Verb } from '../verb.ts'

export const approve: Verb = {
  name: 'mcp approve',
  summary: 'Accept a server whose start or tool descriptions have changed; look with `anode mcp show` first',
  usage: 'mcp approve SERVER [flags]',
  positionals: [{ name: 'SERVER', describe: 'Name of the server', required: true }],
  options: doneOptions,
  examples: [['anode mcp approve github', 'Its changed tools may be used again']],
  run: (args: CommandArgs, io: CommandIo) =>
    withMcpServers(io, async ({ servers, data }) => {
      const member = servers.find(String(args.SERVER))
      io.stderr.write(
        `${sanitizeText(member.server.name)} starts as ${sanitizeText(describeMcpServer(member).launch)}\n`,
      )
      for (const name of listUnapprovedTools(member, data))
        io.stderr.write(`  new or changed: ${sanitizeText(name)}\n`)
      const instead = 'look with `anode mcp show`, then approve it yourself'
      await demandConsent('Its tools are offered to models as they are now. Approve?', instead, io)
      const fresh = await approveServer(member, data)
      const { launch } = describeMcpServer(member)
      const lines = [`approved ${sanitizeText(launch)}`, ...fresh.map((name) => `  ${sanitizeText(name)}`)]
      const approved = { server: member.server.name, launch, tools: fresh }
      printDone(args, io, `${lines.join('\n')}\n`, approved)
      return 0
    }),
}
