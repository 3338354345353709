// `anode login`: asks for a provider's key without showing it, and stores it for this user.

import { UserError } from '../../internal/base/errors.ts'
import { suggestion } from '../../internal/base/nearest.ts'
import { providers } from '../../internal/model/providers.ts'
import { keyFile, storeKey } from '../../internal/model/stored-keys.ts'
import { clean } from '../../internal/render/clean.ts'
import { refuseAgents } from './consent.ts'
import { exit } from './exit.ts'
import { readStdin } from './io.ts'
import { type Args, flag, type Io, str, type Verb } from './verb.ts'

/** Providers that take a key, as words of the command line. */
export const keyed: readonly string[] = providers.filter(({ keys }) => keys.length > 0).map(({ id }) => id)

export const login: Verb = {
  name: 'login',
  summary: "Store a model provider's key in a file that only you can read",
  usage: 'login PROVIDER [flags]',
  positionals: [{ name: 'PROVIDER', describe: `One of ${keyed.join(', ')}`, required: true }],
  options: { stdin: { type: 'boolean', describe: 'Read the key from standard input instead of asking' } },
  examples: [
    ['anode login anthropic', 'Asks for the key; what is typed is not shown'],
    ['pass show openai | anode login openai --stdin', 'From a password manager'],
  ],
  run: async (args: Args, io: Io) => {
    refuseAgents(io)
    const provider = demandProvider(str(args, 'PROVIDER') ?? '')
    const key = flag(args, 'stdin') ? (await readStdin(io, 65_536)).trim() : await askKey(provider, io)
    if (key === undefined) return exit.interrupted
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
  if (keyed.includes(name)) return name
  throw new UserError(`${clean(name)} is no provider that takes a key`, {
    hint: suggestion(name, keyed) || `providers: ${keyed.join(', ')}`,
  })
}

function demandKey(key: string): void {
  if (/^[\x21-\x7e]{8,}$/.test(key)) return
  throw new UserError('that is no key: a key is one word of at least 8 visible characters', {
    hint: 'copy it again from the page of the provider',
  })
}

/** Undefined when the person gave up. */
async function askKey(provider: string, io: Io): Promise<string | undefined> {
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
