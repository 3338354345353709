// `anode completion`: the shell script that completes commands and flags, made by yargs.
import yargs from 'yargs'
import { type Args, common, type Io, isGroup, type Option, str, type Verb } from './verb.ts'
import { verbs } from './verbs.ts'

export const completion: Verb = {
  name: 'completion',
  summary: 'Print the completion script for bash or zsh',
  usage: 'completion [SHELL]',
  positionals: [{ name: 'SHELL', describe: 'bash or zsh; absent: by $SHELL' }],
  options: {},
  examples: [['anode completion >> ~/.bashrc', 'Complete with the tabulator key from the next shell on']],
  run: async (args: Args, io: Io) => {
    io.stdout.write(`${await script(str(args, 'SHELL') ?? io.env.SHELL ?? 'bash')}\n`)
    return 0
  },
}

/** yargs' own script; it calls `anode --get-yargs-completions WORDS`, which main answers with `candidates`. */
async function script(shell: string): Promise<string> {
  const before = process.env.SHELL
  // yargs chooses between its two templates by this variable alone
  process.env.SHELL = shell.includes('zsh') ? '/bin/zsh' : '/bin/bash'
  try {
    return await new Promise((resolve, reject) => {
      const y = yargs([]).scriptName('anode').exitProcess(false).completion('completion', false)
      y.parse(['completion'], {}, (error, _, output) => (error ? reject(error) : resolve(output)))
    })
  } finally {
    if (before === undefined) delete process.env.SHELL
    else process.env.SHELL = before
  }
}

/** What may follow the words typed so far: verbs first, then flags. */
export async function candidates(words: readonly string[]): Promise<string[]> {
  const typed = words.slice(1, -1)
  const current = words.at(-1) ?? ''
  let names = Object.keys(verbs)
  let options: Record<string, Option> = {}
  const load = typed[0] === undefined ? undefined : verbs[typed[0]]
  if (load) {
    const command = await load()
    const verb = isGroup(command) ? await command.verbs[typed[1] ?? '']?.() : command
    names = isGroup(command) && !verb ? Object.keys(command.verbs) : []
    if (verb) options = { ...verb.options, ...common }
  }
  const flags = Object.keys(options).map((name) => (name.length === 1 ? `-${name}` : `--${name}`))
  return [...names, ...flags].filter((candidate) => candidate.startsWith(current))
}
