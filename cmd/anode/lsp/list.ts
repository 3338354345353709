// The command `anode lsp list`, which prints the language servers that would be started, and why others would
// not. It starts no server.
import { listLanguageServers } from '../../../internal/service/doctor/language-server-check.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'

export const list: Verb = {
  name: 'lsp list',
  summary: 'List the language servers that are configured or found, and why others are not in use',
  usage: 'lsp list [flags]',
  options: { json: { type: 'boolean', describe: 'Print JSON' } },
  examples: [['anode lsp list', 'What lsp and get_diagnostics would ask']],
  run: showServers,
}

async function showServers(args: CommandArgs, io: CommandIo): Promise<number> {
  const rows = await listLanguageServers(io)
  if (flagArg(args, 'json')) io.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
  else {
    const cells = rows.map(({ name, state, files, command, detail, install }) => [
      ...[name, state, files.slice(0, 4).join(' ') + (files.length > 4 ? ' …' : '')],
      state === 'ready' ? `${command} (${detail})` : install ? `${detail}; install it: ${install}` : detail,
    ])
    io.stdout.write(await formatTable(['server', 'state', 'files', 'command, or what is missing'], cells, io))
  }
  return 0
}
