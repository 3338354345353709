// The command `anode lsp doctor`, which starts every available language server once, and prints which of them
// this workspace needs.
import {
  type LanguageServerTrial,
  tryLanguageServers,
} from '../../../internal/service/doctor/language-server-check.ts'
import { exitCodes } from '../exit-codes.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'

export const doctor: Verb = {
  name: 'lsp doctor',
  summary: 'Start each language server once, and say which the workspace needs; exit 1 when one fails',
  usage: 'lsp doctor [flags]',
  options: { json: { type: 'boolean', describe: 'Print JSON' } },
  examples: [['anode lsp doctor', 'Which servers work here, and what they offer']],
  run: checkServers,
}

async function checkServers(args: CommandArgs, io: CommandIo): Promise<number> {
  const rows = await tryLanguageServers(io)
  if (flagArg(args, 'json')) io.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
  else io.stdout.write(await formatTable(['server', 'state', 'detail', 'files here'], rows.map(cellsOf), io))
  const bad = rows.some(({ state, trial }) => state === 'broken' || trial?.ok === false)
  if (!rows.some(({ state }) => state === 'ready'))
    io.stderr.write(
      'note: no language server is configured or found; `anode manual lsp` says how to add one\n',
    )
  return bad ? exitCodes.failed : exitCodes.done
}

function cellsOf({ name, state, detail, trial, needed, install }: LanguageServerTrial): string[] {
  const files = needed === 0 ? 'none' : String(needed)
  if (install !== undefined) return [name, 'missing', `install it: ${install}`, files]
  if (!trial) return [name, state, detail, files]
  if (!trial.ok) return [name, 'broken', trial.why ?? 'it did not start', files]
  return [name, 'ok', `up in ${trial.ms} ms; ${trial.offers.join(', ')}`, files]
}
