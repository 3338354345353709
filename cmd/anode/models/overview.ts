// The command `anode models` without further words, which prints the default model and the providers with a
// key, or with --all every provider.

import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { readWorkspaceContext } from '../../../internal/runtime/workspace/workspace.ts'
import { type ModelOverview, readModelOverview } from '../../../internal/service/models/model-overview.ts'
import { fitLines } from '../io/prose.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'

export const overview: Verb = {
  name: 'models',
  summary: 'List the providers of models with their keys, and the model that is used when none is named',
  usage: 'models [flags]',
  options: {
    all: { type: 'boolean', describe: 'Also providers that have no key' },
    json: { type: 'boolean', describe: 'Print JSON' },
  },
  examples: [
    ['anode models', 'The models that you can use here'],
    ['anode models --all', 'Every provider, and the variable that its key is read from'],
  ],
  run: async (args: CommandArgs, io: CommandIo) => {
    const overview = readModelOverview(await readWorkspaceContext(io.cwd, io.env))
    if (flagArg(args, 'json')) io.stdout.write(`${JSON.stringify(overview, null, 2)}\n`)
    else await printOverview(overview, flagArg(args, 'all'), io)
    return 0
  },
}

async function printOverview(
  { providers, chosen: choice, problem }: ModelOverview,
  all: boolean,
  io: CommandIo,
): Promise<void> {
  const usable = providers.filter(({ missing, key }) => !missing && (all || key !== 'none needed'))
  const rows = (all ? providers : usable).map(({ provider, key, model, address, missing }) => [
    provider,
    key ?? 'no key',
    model || 'to be named',
    missing && key !== undefined ? missing : address,
  ])
  const modelLine = choice
    ? `used when none is named: ${sanitizeText(choice.model)} (${sanitizeText(choice.because)})`
    : 'No model is set up: runs of agents need one.'
  const next = choice
    ? []
    : [
        'Store a key with `anode login openai`, set a variable such as ANTHROPIC_API_KEY, ' +
          'or name a local server:',
        'anode config set model ollama/qwen3    (every provider: anode models --all)',
      ]
  const lines = [modelLine, ...(problem ? [`it cannot be used: ${sanitizeText(problem)}`] : []), ...next]
  if (rows.length > 0)
    io.stdout.write(`${await formatTable(['provider', 'key', 'model', 'address'], rows, io)}\n`)
  io.stdout.write(fitLines(`${lines.join('\n')}\n`, io))
}
