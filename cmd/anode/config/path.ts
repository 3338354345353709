// `anode config path`: the files that are looked for, and the directories in use.
import { existsSync, realpathSync } from 'node:fs'
import { cacheDir, dataDir } from '../../../internal/base/dirs.ts'
import { candidates } from '../../../internal/config/load.ts'
import { table } from '../table.ts'
import { type Args, flag, type Io, type Verb } from '../verb.ts'

export const path: Verb = {
  name: 'config path',
  summary: 'Show where configuration is looked for and where data is kept',
  usage: 'config path [flags]',
  options: { json: { type: 'boolean', describe: 'Print JSON' } },
  examples: [['anode config path', 'Which files to edit']],
  run: showPaths,
}

async function showPaths(args: Args, io: Io): Promise<number> {
  const files = candidates({ env: io.env, workspace: realpathSync(io.cwd) })
  const rows = [
    ...files.map((file) => ({ what: `configuration (${file.from})`, path: file.path })),
    { what: 'data', path: dataDir(io.env) },
    { what: 'cache', path: cacheDir(io.env) },
  ].map((row) => ({ ...row, exists: existsSync(row.path) }))
  if (flag(args, 'json')) io.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
  else {
    const cells = rows.map((row) => [row.what, row.exists ? 'yes' : 'no', row.path])
    io.stdout.write(await table(['what', 'there', 'path'], cells, io))
  }
  return 0
}
