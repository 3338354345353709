// `anode config set`: sets one key in the user's configuration file, checked before it is written.

import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { setConfigValue } from '../../../internal/runtime/workspace/config-files.ts'
import { refuseAgents } from '../consent.ts'
import { fitLines } from '../io/prose.ts'
import { type CommandArgs, type CommandIo, stringArg, type Verb } from '../verb.ts'

export const set: Verb = {
  name: 'config set',
  summary: 'Set a value in your configuration file; comments and other keys stay',
  usage: 'config set KEY VALUE',
  positionals: [
    { name: 'KEY', describe: 'Dotted name, such as model or providers.ollama.baseUrl', required: true },
    { name: 'VALUE', describe: 'JSON, or a text as it is', required: true },
  ],
  options: {},
  examples: [
    ['anode config set model ollama/qwen3', 'The model when none is named'],
    ['anode config set providers.openai.apiKey {env:MY_KEY}', 'Read the key from another variable'],
    ['anode config set protectedDirs \'["data"]\'', 'Folders that are never written'],
  ],
  run: async (args: CommandArgs, io: CommandIo) => {
    refuseAgents(io)
    const key = stringArg(args, 'KEY') ?? ''
    const file = await setConfigValue(io.env, key, parseValue(stringArg(args, 'VALUE') ?? ''))
    io.stdout.write(fitLines(`${key} is set in ${file}\n`, io))
    if (key === 'model') await warnOfModel(io)
    return 0
  },
}

/** JSON where the text is JSON, else the text: `{env:NAME}` is a text, `true` and `["a"]` are not. */
function parseValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** It may come later, as the settings of its provider do: it is said, and not refused. */
async function warnOfModel({ cwd, env, stderr }: CommandIo): Promise<void> {
  const { readModelOverview } = await import('../../../internal/service/models/model-overview.ts')
  const { readWorkspaceContext } = await import('../../../internal/runtime/workspace/workspace.ts')
  const { problem } = readModelOverview(await readWorkspaceContext(cwd, env))
  if (problem !== undefined) stderr.write(`note: ${sanitizeText(problem)}\n`)
}
