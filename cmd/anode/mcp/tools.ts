// The command `anode mcp tools`, which starts all servers or one server, asks for the tools again
// and prints them.

import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { withMcpServers } from '../../../internal/service/mcp/mcp-servers.ts'
import { exitCodes } from '../exit-codes.ts'
import { explainNoRows } from '../io/prose.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg, type Verb } from '../verb.ts'
import { noServers } from './list.ts'

export const tools: Verb = {
  name: 'mcp tools',
  summary: 'Start the servers, or one of them, and ask anew what tools they have; exit 1 when one fails',
  usage: 'mcp tools [SERVER] [flags]',
  positionals: [{ name: 'SERVER', describe: 'Only this server' }],
  options: { json: { type: 'boolean', describe: 'Print JSON' } },
  examples: [['anode mcp tools', 'Whether every server works, and what it offers']],
  run: (args: CommandArgs, io: CommandIo) =>
    withMcpServers(io, async ({ servers, notes }) => {
      const name = stringArg(args, 'SERVER')
      const members = name === undefined ? servers.members : [servers.find(name)]
      await Promise.all(members.map((member) => member.refresh(io.signal)))
      const origins = new Set(members.map(({ server }) => `mcp ${server.name}`))
      const serverTools = servers.tools().filter(({ origin }) => origins.has(origin))
      for (const note of [...notes, ...servers.notes()]) io.stderr.write(`note: ${sanitizeText(note)}\n`)
      const rows = serverTools.map(({ tool, origin, hidden }) => ({
        name: tool.name,
        level: tool.level,
        origin,
        summary: sanitizeText(tool.about.split('\n')[0] ?? ''),
        hidden,
      }))
      if (flagArg(args, 'json')) io.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
      else if (members.length === 0) explainNoRows(noServers, io)
      else if (rows.length > 0) {
        const cells = rows.map((row) => [
          row.name,
          row.level,
          row.hidden ? `hidden: ${row.hidden}` : row.summary,
        ])
        io.stdout.write(await formatTable(['tool', 'level', 'what it does'], cells, io))
      }
      const isWell = members.every(
        ({ fault, standing }) => fault === undefined && standing.launch === undefined,
      )
      return isWell ? exitCodes.done : exitCodes.failed
    }),
}
