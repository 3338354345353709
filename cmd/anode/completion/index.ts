// `anode completion`: the shell script that completes commands, flags and values.
import yargs from 'yargs'
import { type CommandArgs, type CommandIo, stringArg, type Verb } from '../verb.ts'
import { fishScript } from './fish.ts'

const shells = ['bash', 'zsh', 'fish'] as const

export const completion: Verb = {
  name: 'completion',
  summary: 'Print the completion script for bash, zsh or fish',
  usage: 'completion [SHELL]',
  positionals: [{ name: 'SHELL', describe: 'bash, zsh or fish; absent: by $SHELL', choices: shells }],
  options: {},
  examples: [
    ['anode completion bash >> ~/.bashrc', 'Complete with the tabulator key from the next shell on'],
    ['anode completion fish > ~/.config/fish/completions/anode.fish', 'The same for fish'],
  ],
  run: async (args: CommandArgs, io: CommandIo) => {
    const shell = stringArg(args, 'SHELL') ?? shells.find((name) => io.env.SHELL?.endsWith(name)) ?? 'bash'
    io.stdout.write(shell === 'fish' ? fishScript : `${await yargsScript(shell)}\n`)
    return 0
  },
}

/** yargs' own script; it calls `anode --get-yargs-completions WORDS`, which main.ts answers. */
async function yargsScript(shell: string): Promise<string> {
  const before = process.env.SHELL
  // yargs chooses between its two templates by this variable alone
  process.env.SHELL = `/bin/${shell}`
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
