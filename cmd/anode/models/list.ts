// The command `anode models list`, which prints context windows and prices of the models in the catalog and
// on local servers.

import { shortCount } from '../../../internal/base/text/short-count.ts'
import type { ProviderSettingsTable } from '../../../internal/model/provider-endpoint.ts'
import { readWorkspaceContext } from '../../../internal/runtime/workspace/workspace.ts'
import { findServers, listModels, type ModelRow } from '../../../internal/service/models/model-list.ts'
import { fitLines } from '../io/prose.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg, type Verb } from '../verb.ts'

export const list: Verb = {
  name: 'models list',
  summary: 'List models with their windows, prices and efforts',
  usage: 'models list [flags]',
  options: {
    provider: { type: 'string', describe: 'Only models of this provider', value: 'NAME' },
    json: { type: 'boolean', describe: 'Print JSON' },
  },
  examples: [
    ['anode models list --provider anthropic', 'Their context windows and prices'],
    ["anode models list --json | jq '.[0].window'", 'For a program'],
  ],
  run: showModels,
}

async function showModels(args: CommandArgs, io: CommandIo): Promise<number> {
  const { env, loaded } = await readWorkspaceContext(io.cwd, io.env)
  const settings = (loaded.config.providers ?? {}) as ProviderSettingsTable
  const servers = await findServers(io.signal)
  const { date, models } = listModels(env, settings, stringArg(args, 'provider'), servers)
  if (flagArg(args, 'json')) {
    io.stdout.write(`${JSON.stringify(models, null, 2)}\n`)
    return 0
  }
  const head = ['model', 'window', 'in', 'out', 'cached', 'key', 'efforts']
  io.stdout.write(`${await formatTable(head, models.map(cellsOf), io)}\n`)
  const note =
    `Prices of ${date}, in US dollars for a million tokens; the configuration beats them, ` +
    'and `anode models update` fetches newer ones.'
  io.stdout.write(fitLines(`${note}\n`, io))
  for (const { address } of servers.filter((one) =>
    models.some((row) => row.server === one.address && !row.usable),
  ))
    io.stdout.write(
      fitLines(`To use ${address}: anode config set providers.custom.baseUrl ${address}/v1\n`, io),
    )
  return 0
}

const cellsOf = ({ id, window, price, efforts, usable }: ModelRow): string[] => [
  id,
  window === null ? '?' : shortCount(window),
  formatDollars(price?.input),
  formatDollars(price?.output),
  formatDollars(price?.cached),
  usable ? 'yes' : '',
  efforts.length === 0 ? '' : `${efforts[0]}…${efforts.at(-1)}`,
]

/**
 * Returns a price in US dollars per million tokens as text with up to four significant digits, because prices
 * of cached tokens are very small. Returns an empty text for an unknown price.
 */
const formatDollars = (price: number | undefined): string =>
  price === undefined ? '' : String(Number(price.toPrecision(4)))
