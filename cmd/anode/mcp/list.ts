// The command `anode mcp list`, which prints the servers of the user, of a trusted workspace and of skills
// with their states. It starts no server.

import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { describeMcpServer, withMcpServers } from '../../../internal/service/mcp/mcp-servers.ts'
import { explainNoRows } from '../io/prose.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'

export const noServers =
  'No MCP server is configured. `anode mcp add` adds one, `anode manual mcp` says more.'

export const list: Verb = {
  name: 'mcp list',
  summary: 'List the configured servers and their state, without starting them',
  usage: 'mcp list [flags]',
  options: { json: { type: 'boolean', describe: 'Print JSON' } },
  examples: [['anode mcp list', 'Servers of the user and of a trusted workspace']],
  run: (args: CommandArgs, io: CommandIo) =>
    withMcpServers(io, async ({ servers, notes }) => {
      const states = servers.members.map(describeMcpServer)
      // Notes that the table of servers already shows are not repeated.
      const others = servers.notes().filter((note) => !states.some(({ detail }) => note.endsWith(detail)))
      for (const note of [...notes, ...others]) io.stderr.write(`note: ${sanitizeText(note)}\n`)
      if (flagArg(args, 'json')) io.stdout.write(`${JSON.stringify(states, null, 2)}\n`)
      else if (states.length === 0) {
        // The notes already explain servers that cannot be used, so the list needs no other explanation.
        if (notes.length + others.length === 0) explainNoRows(noServers, io)
      } else {
        const rows = states.map((one) => [one.name, one.origin, one.state, one.detail])
        io.stdout.write(await formatTable(['server', 'from', 'state', 'detail'], rows, io))
      }
      return 0
    }),
}
