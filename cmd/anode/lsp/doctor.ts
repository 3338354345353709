// `anode lsp doctor`: starts every server that is ready, once, and says what came of it.
import { type Tried, tryServers } from '../../../internal/host/extensions/lsp-check.ts'
import { exit } from '../exit.ts'
import { table } from '../table.ts'
import { type Args, flag, type Io, type Verb } from '../verb.ts'

export const doctor: Verb = {
  name: 'lsp doctor',
  summary: 'Start each language server of the workspace once; exit 1 when one does not come up',
  usage: 'lsp doctor [flags]',
  options: { json: { type: 'boolean', describe: 'Print JSON' } },
  examples: [['anode lsp doctor', 'Which servers work here, and what they offer']],
  run: checkServers,
}

async function checkServers(args: Args, io: Io): Promise<number> {
  const rows = await tryServers(io)
  if (flag(args, 'json')) io.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
  else io.stdout.write(await table(['server', 'state', 'detail'], rows.map(cells), io))
  const bad = rows.some(({ state, trial }) => state === 'broken' || trial?.ok === false)
  if (!rows.some(({ state }) => state === 'ready'))
    io.stderr.write('note: no language server is configured or found; the manual says how to add one\n')
  return bad ? exit.failed : exit.done
}

function cells({ name, state, detail, trial }: Tried): string[] {
  if (!trial) return [name, state, detail]
  if (!trial.ok) return [name, 'broken', trial.why ?? 'it did not start']
  return [name, 'ok', `up in ${trial.ms} ms; ${trial.offers.join(', ')}`]
}
