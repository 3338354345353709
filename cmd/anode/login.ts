// `anode login`: asks for a provider's key without showing it, and stores it for this user.

import { UserError } from '../../internal/base/errors.ts'
import { suggestNames } from '../../internal/base/text/name-suggestion.ts'
import { providers } from '../../internal/model/providers.ts'
import { keyFile, storeKey } from '../../internal/model/stored-keys.ts'
import { sanitizeText } from '../../internal/render/text/terminal-filter.ts'
import { refuseAgents } from './consent.ts'
import { exitCodes } from './exit-codes.ts'
import { readStdin } from './io/streams.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg, type Verb } from './verb.ts'

/** Providers that take a key, as words of the command line. */
export const keyedProviders: readonly string[] = providers
  .filter(({ keys }) => keys.length > 0)
  .map(({ id }) => id)

export const login: Verb = {
  name: 'login',
  summary: "Store a model provider's key in a file that only you can read",
  usage: 'login PROVIDER [flags]',
  positionals: [{ name: 'PROVIDER', describe: `One of ${keyedProviders.join(', ')}`, required: true }],
  options: { stdin: { type: 'boolean', describe: 'Read the key from standard input instead of asking' } },
  examples: [
    ['anode login anthropic', 'Asks for the key; what is typed is not shown'],
    ['pass show openai | anode login openai --stdin', 'From a password manager'],
  ],
  run: async (args: CommandArgs, io: CommandIo) => {
    refuseAgents(io)
    const provider = demandProvider(stringArg(args, 'PROVIDER') ?? '')
    const key = flagArg(args, 'stdin') ? (await readStdin(io, 65_536)).trim() : await askKey(provider, io)
    if (key === undefined) return exitCodes.interrupted
    demandKey(key)
    const before = await storeKey(io.env, provider, key)
    io.stdout.write(`The key of ${provider} is ${before ? 'replaced' : 'stored'} in ${keyFile(io.env)}.\n`)
    const variable = providers.find(({ id }) => id === provider)?.keys.find((name) => io.env[name])
    if (variable) io.stderr.write(`note: ${variable} is set and counts before it\n`)
    io.stdout.write(`Try it: anode execute "What is here?" --model ${provider}\n`)
    return 0
  },
}

export function demandProvider(name: string): string {
  if (keyedProviders.includes(name)) return name
  throw new UserError(`${sanitizeText(name)} is no provider that takes a key`, {
    hint: suggestNames(name, keyedProviders) || `providers: ${keyedProviders.join(', ')}`,
  })
}

function demandKey(key: string): void {
  if (/^[\x21-\x7e]{8,}$/.test(key)) return
  throw new UserError('that is no key: a key is one word of at least 8 visible characters', {
    hint: 'copy it again from the page of the provider',
  })
}

/** Undefined when the person gave up. */
async function askKey(provider: string, io: CommandIo): Promise<string | undefined> {
  if (!io.stdin.isTTY) {
    throw new UserError('a key is asked for at a terminal', {
      hint: `pipe it in: … | anode login ${provider} --stdin`,
    })
  }
  const { isCancel, password } = await import('@clack/prompts')
  const typed = await password({
    message: `Key of ${provider}`,
    input: io.stdin,
    output: io.stderr.stream,
    signal: io.signal,
  })
  return isCancel(typed) ? undefined : typed.trim()
}
