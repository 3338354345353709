// The command `anode hooks list`, which prints every hook of the user and of a trusted workspace with its
// file, and the problems of the files. It starts no hook.
import { listHooks } from '../../../internal/service/doctor/hook-check.ts'
import { explainNoRows } from '../io/prose.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'

export const list: Verb = {
  name: 'hooks list',
  summary: 'List the hooks in force and what is wrong with their files; exit 2 when one cannot be used',
  usage: 'hooks list [flags]',
  options: { json: { type: 'boolean', describe: 'Print JSON' } },
  examples: [['anode hooks list', 'Event, tools, command and file of each']],
  run: showHooks,
}

async function showHooks(args: CommandArgs, io: CommandIo): Promise<number> {
  const { hooks, diagnostics } = await listHooks(io)
  const rows = hooks.map(({ event, matcher = '*', command, timeout, onError, path }) => {
    return { event, matcher, command, timeout, onError, path }
  })
  const isBroken = diagnostics.some(({ severity }) => severity === 'error')
  if (flagArg(args, 'json'))
    io.stdout.write(`${JSON.stringify({ hooks: rows, problems: diagnostics }, null, 2)}\n`)
  else if (rows.length > 0)
    io.stdout.write(
      await formatTable(
        ['event', 'tools', 'command', 'seconds', 'if it fails', 'file'],
        rows.map((row) => [
          ...[row.event, row.matcher, row.command, String(row.timeout)],
          ...[row.onError === 'deny' ? 'refuse' : 'warn', row.path],
        ]),
        io,
      ),
    )
  else if (diagnostics.length === 0)
    explainNoRows('No hooks are configured. `anode manual hooks` shows how to add one.', io)
  for (const { severity, where, message } of flagArg(args, 'json') ? [] : diagnostics)
    io.stderr.write(`${severity}: ${where}: ${message}\n`)
  return isBroken ? 2 : 0
}
