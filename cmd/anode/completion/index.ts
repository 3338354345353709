// The command `anode completion`, which prints or installs the shell script that completes commands,
// flags and values.
import yargs from 'yargs'
import { type CommandArgs, type CommandIo, stringArg, type Verb } from '../verb.ts'
import { fishScript } from './fish.ts'
import { type CompletionShell, installCompletion } from './install.ts'

const shells: readonly CompletionShell[] = ['bash', 'zsh', 'fish']

export const completion: Verb = {
  name: 'completion',
  summary: 'Print or install the completion script for bash, zsh or fish',
  usage: 'completion [SHELL|install [SHELL]]',
  positionals: [
    {
      name: 'SHELL',
      describe: 'bash, zsh or fish; absent: by $SHELL. install writes the script to a file',
      choices: [...shells, 'install'],
    },
    { name: 'TARGET', describe: 'After install: the shell; absent: by $SHELL', choices: shells },
  ],
  options: {},
  examples: [
    ['anode completion install', 'Complete with the Tab key from the next shell on'],
    ['anode completion bash >> ~/.bashrc', 'The same for bash, in a file of your choice'],
  ],
  run: async (args: CommandArgs, io: CommandIo) => {
    const first = stringArg(args, 'SHELL')
    const named = first === 'install' ? stringArg(args, 'TARGET') : first
    const shell =
      shells.find((name) => name === named) ?? shells.find((name) => io.env.SHELL?.endsWith(name)) ?? 'bash'
    const script = shell === 'fish' ? fishScript : `${await yargsScript(shell)}\n`
    if (first !== 'install') io.stdout.write(script)
    else {
      const { file, next } = installCompletion(shell, script, io.env)
      io.stdout.write(`Wrote ${file}. ${next ?? `It takes effect in the next ${shell}.`}\n`)
    }
    return 0
  },
}

/**
 * Returns the completion script that the library yargs makes. The script calls `anode --get-yargs-completions
 * WORDS`, which main.ts answers.
 */
async function yargsScript(shell: string): Promise<string> {
  const before = process.env.SHELL
  // The library yargs selects one of its two templates only by this variable.
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
