// The command `anode plugins list`, which prints each plugin with its tools, events and vetoes, and why other
// plugins are not in use.
import { listPlugins } from '../../../internal/service/doctor/plugin-list.ts'
import { explainNoRows } from '../io/prose.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'

export const list: Verb = {
  name: 'plugins list',
  summary: 'List the process plugins in force, and why others are not; exit 2 when one is not in use',
  usage: 'plugins list [flags]',
  options: { json: { type: 'boolean', describe: 'Print JSON' } },
  examples: [['anode plugins list', 'Tools, events and vetoes of each']],
  run: showPlugins,
}

async function showPlugins(args: CommandArgs, io: CommandIo): Promise<number> {
  const { plugins, notes } = await listPlugins(io)
  if (flagArg(args, 'json')) io.stdout.write(`${JSON.stringify({ plugins, notes }, null, 2)}\n`)
  else {
    const rows = plugins.map(({ name, path, tools, events, vetoes }) => [
      ...[name, tools.join(' '), events === 'all' ? 'all' : events.join(' '), vetoes.join(' '), path],
    ])
    if (rows.length > 0)
      io.stdout.write(await formatTable(['plugin', 'tools', 'events', 'vetoes', 'file'], rows, io))
    else if (notes.length === 0)
      explainNoRows('No plugin is in use. `anode manual plugins` shows how to add one.', io)
    for (const note of notes) io.stderr.write(`note: ${note}\n`)
  }
  return notes.length > 0 ? 2 : 0
}
