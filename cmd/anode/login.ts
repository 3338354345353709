// The command `anode login`, which stores a provider's key for this user. It reads the key from standard
// input, or asks for it without showing it.
import { UserError } from '../../internal/base/errors.ts'
import {
  keyedProviders,
  requireKeyedProvider,
  storeProviderKey,
} from '../../internal/service/models/provider-keys.ts'
import { loadDialogs } from '../../internal/tui/terminal/live-frame.ts'
import { refuseAgents } from './consent.ts'
import { exitCodes } from './exit-codes.ts'
import { doneOptions, printDone } from './io/done-line.ts'
import { fitLines } from './io/prose.ts'
import { readStdin } from './io/streams.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg, type Verb } from './verb.ts'

export const login: Verb = {
  name: 'login',
  summary: "Store a model provider's key in a file that only you can read",
  usage: 'login [PROVIDER] [flags]',
  positionals: [
    { name: 'PROVIDER', describe: `One of ${keyedProviders.join(', ')}; default: ask at the terminal` },
  ],
  options: {
    stdin: { type: 'boolean', describe: 'Read the key from standard input instead of asking' },
    ...doneOptions,
  },
  examples: [
    ['anode login anthropic', 'Asks for the key; what is typed is not shown'],
    ['pass show openai | anode login openai --stdin', 'From a password manager'],
  ],
  run: async (args: CommandArgs, io: CommandIo) => {
    refuseAgents(io)
    const named = stringArg(args, 'PROVIDER') ?? (await askProvider(io))
    if (named === undefined) return exitCodes.interrupted
    const provider = requireKeyedProvider(named)
    const key = flagArg(args, 'stdin') ? (await readStdin(io, 65_536)).trim() : await askKey(provider, io)
    if (key === undefined) return exitCodes.interrupted
    const { file, replaced, variable } = await storeProviderKey(io.env, provider, key)
    if (variable) io.stderr.write(`note: ${variable} is set and counts before it\n`)
    const stored = `The key of ${provider} is ${replaced ? 'replaced' : 'stored'} in ${file}.\n`
    const next = `Try it: anode execute "What is here?" --model ${provider}\n`
    printDone(args, io, fitLines(stored + next, io), { provider, file, replaced })
    return 0
  },
}

/**
 * Asks for the provider and returns its name. Returns undefined if the user cancels. Throws UserError
 * without a terminal.
 */
async function askProvider(io: CommandIo): Promise<string | undefined> {
  if (!io.stdin.isTTY)
    throw new UserError('a provider has to be named', {
      hint: `anode login PROVIDER, with one of ${keyedProviders.join(', ')}`,
    })
  const { isCancel, select } = await loadDialogs()
  const provider = await select({
    message: 'Which provider?',
    options: keyedProviders.map((value) => ({ value })),
    input: io.stdin,
    output: io.stderr.stream,
    signal: io.signal,
  })
  return isCancel(provider) ? undefined : provider
}

/**
 * Asks for the provider's key and returns it. Returns undefined if the user cancels. Throws UserError
 * without a terminal.
 */
async function askKey(provider: string, io: CommandIo): Promise<string | undefined> {
  if (!io.stdin.isTTY) {
    throw new UserError('a key is asked for at a terminal', {
      hint: `pipe it in: … | anode login ${provider} --stdin`,
    })
  }
  const { isCancel, password } = await loadDialogs()
  const typed = await password({
    message: `Key of ${provider}`,
    input: io.stdin,
    output: io.stderr.stream,
    signal: io.signal,
  })
  return isCancel(typed) ? undefined : typed.trim()
}
