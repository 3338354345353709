// The command `anode config path`, which prints the files that may contain configuration, those that apply
// here, and the directories in use.
import { existsSync } from 'node:fs'
import { findUserConfigFile, listConfigFiles } from '../../../internal/runtime/workspace/config-files.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'

export const path: Verb = {
  name: 'config path',
  summary: 'Show where configuration is looked for, which files count, and where data is kept',
  usage: 'config path [flags]',
  options: {
    user: { type: 'boolean', describe: 'Print only the path of the file that `config set` writes' },
    json: { type: 'boolean', describe: 'Print JSON' },
  },
  examples: [
    ['anode config path', 'Which files there are, and which count'],
    ['$EDITOR "$(anode config path --user)"', 'Edit your configuration'],
  ],
  run: showPaths,
}

async function showPaths(args: CommandArgs, io: CommandIo): Promise<number> {
  if (flagArg(args, 'user')) {
    io.stdout.write(`${findUserConfigFile(io.env)}\n`)
    return 0
  }
  const rows = listConfigFiles(io.cwd, io.env)
  if (flagArg(args, 'json')) {
    const states = rows.map((row) => ({ ...row, exists: existsSync(row.path) }))
    io.stdout.write(`${JSON.stringify(states, null, 2)}\n`)
  } else {
    const cells = rows.map((row) => [row.what, row.state, row.path])
    io.stdout.write(await formatTable(['what', 'state', 'path'], cells, io))
  }
  return 0
}
