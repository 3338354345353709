// The command `anode mcp show`, which prints how one server starts and how it last described itself, and
// marks the tools that differ from the approved ones.

import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { describeMcpServer, withMcpServers } from '../../../internal/service/mcp/mcp-servers.ts'
import { fitLines } from '../io/prose.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'

export const show: Verb = {
  name: 'mcp show',
  summary: 'Show one server: how it starts, its tools, prompts and resources as it told them last',
  usage: 'mcp show SERVER [flags]',
  positionals: [{ name: 'SERVER', describe: 'Name of the server', required: true }],
  options: { json: { type: 'boolean', describe: 'Print JSON' } },
  examples: [['anode mcp show github', 'Look before you approve']],
  run: (args: CommandArgs, io: CommandIo) =>
    withMcpServers(io, async ({ servers }) => {
      const member = servers.find(String(args.SERVER))
      const state = describeMcpServer(member)
      const { listing, standing } = member
      if (flagArg(args, 'json')) {
        const changed = [...standing.changed]
        io.stdout.write(`${JSON.stringify({ ...state, changed, listing }, null, 2)}\n`)
        return 0
      }
      const line = (name: string, value: string) => fitLines(`${name.padEnd(11)}${sanitizeText(value)}\n`, io)
      io.stdout.write(line('server', `${state.name}, from ${state.path}`))
      io.stdout.write(line('starts as', state.launch))
      io.stdout.write(line('state', `${state.state}: ${state.detail}`))
      if (listing) io.stdout.write(line('asked', listing.at))
      const tools = listing?.tools.map((tool) => [
        tool.name,
        standing.changed.has(tool.name) ? 'changed' : '',
        sanitizeText(tool.description ?? '').split('\n')[0] ?? '',
      ])
      if (tools?.length)
        io.stdout.write(`\n${await formatTable(['tool', '', 'what it says of itself'], tools, io)}`)
      for (const tool of listing?.tools ?? []) {
        if (!standing.changed.has(tool.name)) continue
        const description = sanitizeText(tool.description ?? '', { keepLines: true })
        io.stdout.write(fitLines(`\n${tool.name} now says:\n${description}\n`, io))
        io.stdout.write(`${sanitizeText(JSON.stringify(tool.inputSchema))}\n`)
      }
      const prompts = listing?.prompts.map((one) => [
        `/${state.name}:${one.name}`,
        (one.arguments ?? []).map(({ name, required }) => (required ? name : `[${name}]`)).join(' '),
        one.description ?? '',
      ])
      if (prompts?.length)
        io.stdout.write(`\n${await formatTable(['prompt', 'arguments', 'what for'], prompts, io)}`)
      const resources = listing?.resources.map((one) => [`@${state.name}:${one.uri}`, one.name])
      if (resources?.length) io.stdout.write(`\n${await formatTable(['resource', 'name'], resources, io)}`)
      return 0
    }),
}
