// The command `anode config set`, which sets one key in the user's configuration file. The value is checked
// before it is written.

import { realpathSync } from 'node:fs'
import { UserError } from '../../../internal/base/errors.ts'
import { jsonOrText } from '../../../internal/base/untrusted-json.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { setConfigValue } from '../../../internal/runtime/workspace/config-files.ts'
import { readWorkspaceContext } from '../../../internal/runtime/workspace/workspace.ts'
import { diagnoseSettings } from '../../../internal/service/doctor/config-doctor.ts'
import { findModelProblems, type ModelProblem } from '../../../internal/service/models/model-overview.ts'
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
    // `{env:NAME}` is not JSON, but `true` and `["a"]` are
    const value = jsonOrText(stringArg(args, 'VALUE') ?? '')
    const note = key === 'model' ? await checkModel(value, io) : undefined
    const file = await setConfigValue(io.env, key, value)
    printDone(args, io, fitLines(`${key} is set in ${file}\n`, io), { key, file })
    if (note !== undefined) io.stderr.write(fitLines(`note: ${sanitizeText(note)}\n`, io))
    if (key === 'profile') await warnOfProfile(io)
    return 0
  },
}

/**
 * Returns the problem of a model and the next step; undefined without a problem. The key or the server of its
 * provider may follow later, so this is not an error. Throws UserError for a word that names neither a
 * provider nor a model, because every later session would end with it.
 */
async function checkModel(value: unknown, { cwd, env }: CommandIo): Promise<string | undefined> {
  // A new file does not exist yet, and a variable in it may be set later. Then the model is not checked.
  const workspaceContext = await readWorkspaceContext(cwd, env).catch((error: unknown) => {
    if (!(error instanceof UserError)) throw error
  })
  if (!workspaceContext) return undefined
  const problems = findModelProblems([value].flat(), workspaceContext).map(explainProblem)
  return problems[0]
}

/** Returns the problem of a model and the next step. See `checkModel`. */
function explainProblem({ model, problem, hint }: ModelProblem): string {
  if (!problem.startsWith('unknown model')) return [problem, hint].filter(Boolean).join('; ')
  const [provider = '', ...rest] = model.split('/')
  if (rest.length > 0 && provider !== 'builtin')
    return `${problem}; for your own server: anode config set providers.${provider}.baseUrl https://host/v1`
  throw new UserError(problem, {
    hint: 'write PROVIDER/MODEL, such as ollama/qwen3; every provider: anode models --all',
  })
}

/**
 * Prints a note if the configured profile has a problem here, for example because it is unknown. Another
 * workspace may define the profile, so this is not an error.
 */
async function warnOfProfile({ cwd, env, stderr }: CommandIo): Promise<void> {
  for (const { text } of await diagnoseSettings({ env, cwd: realpathSync(cwd) }))
    if (text.startsWith('profile: ')) stderr.write(`note: ${sanitizeText(text.slice('profile: '.length))}\n`)
}
