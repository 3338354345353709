// The command `anode tools toolsets`, which prints the available toolsets: tools under the names
// of other programs.
import { listToolsets } from '../../../internal/service/calls/toolset-list.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'

export const toolsets: Verb = {
  name: 'tools toolsets',
  summary: 'List the toolsets: the same work under the tool names of other programs',
  usage: 'tools toolsets [flags]',
  options: { json: { type: 'boolean', describe: 'Print JSON' } },
  examples: [['anode tools toolsets --json', 'For a script']],
  run: printToolsets,
}

async function printToolsets(args: CommandArgs, io: CommandIo): Promise<number> {
  const rows = await listToolsets()
  if (flagArg(args, 'json')) io.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
  else {
    const cells = rows.map(({ name, tools, about }) => [name, String(tools.length), about])
    io.stdout.write(await formatTable(['toolset', 'tools', 'what it is'], cells, io))
  }
  return 0
}
