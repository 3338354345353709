// The command `anode config set`, which sets one key in the user's configuration file. The value is checked
// before it is written.

import { realpathSync } from 'node:fs'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { setConfigValue } from '../../../internal/runtime/workspace/config-files.ts'
import { readWorkspaceContext } from '../../../internal/runtime/workspace/workspace.ts'
import { diagnoseSettings } from '../../../internal/service/doctor/config-doctor.ts'
import { readModelOverview } from '../../../internal/service/models/model-overview.ts'
import { refuseAgents } from '../consent.ts'
import { doneOptions, printDone } from '../io/done-line.ts'
import { fitLines } from '../io/prose.ts'
import { type CommandArgs, type CommandIo, stringArg, type Verb } from '../verb.ts'

export const set: Verb = {
  name: 'config set',
  summary: 'Set a value in your configuration file; comments and other keys stay',
  usage: 'config set KEY VALUE [flags]',
  positionals: [
    { name: 'KEY', describe: 'Dotted name, such as model or providers.ollama.baseUrl', required: true },
    { name: 'VALUE', describe: 'JSON, or a text as it is', required: true },
  ],
  options: doneOptions,
  examples: [
    ['anode config set model ollama/qwen3', 'The model when none is named'],
    ['anode config set providers.openai.apiKey {env:MY_KEY}', 'Read the key from another variable'],
    ['anode config set protectedDirs \'["data"]\'', 'Folders that are never written'],
  ],
  run: async (args: CommandArgs, io: CommandIo) => {
    refuseAgents(io)
    const key = stringArg(args, 'KEY') ?? ''
    const file = await setConfigValue(io.env, key, parseValue(stringArg(args, 'VALUE') ?? ''))
    printDone(args, io, fitLines(`${key} is set in ${file}\n`, io), { key, file })
    if (key === 'model') await warnOfModel(io)
    if (key === 'profile') await warnOfProfile(io)
    return 0
  },
}

/**
 * Returns the parsed value if the text is JSON, otherwise the text itself. For example, `{env:NAME}` is not
 * JSON, but `true` and `["a"]` are.
 */
function parseValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * Prints a note if the configured model has a problem. The provider's settings may follow later, so this is
 * not an error.
 */
async function warnOfModel({ cwd, env, stderr }: CommandIo): Promise<void> {
  const { problem } = readModelOverview(await readWorkspaceContext(cwd, env))
  if (problem !== undefined) stderr.write(`note: ${sanitizeText(problem)}\n`)
}

/**
 * Prints a note if the configured profile has a problem here, for example because it is unknown. Another
 * workspace may define the profile, so this is not an error.
 */
async function warnOfProfile({ cwd, env, stderr }: CommandIo): Promise<void> {
  for (const { text } of await diagnoseSettings({ env, cwd: realpathSync(cwd) }))
    if (text.startsWith('profile: ')) stderr.write(`note: ${sanitizeText(text.slice('profile: '.length))}\n`)
}
