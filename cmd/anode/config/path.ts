// `anode config path`: the files that are looked for, which of them count here, and the directories in use.
import { existsSync, realpathSync } from 'node:fs'
import { cacheDir, configDir, dataDir } from '../../../internal/base/dirs.ts'
import { userConfigFile } from '../../../internal/config/edit.ts'
import type { ConfigCandidate } from '../../../internal/config/layer.ts'
import { listCandidates } from '../../../internal/config/load.ts'
import { readTrustState } from '../../../internal/trust/trust.ts'
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
    io.stdout.write(`${userConfigFile(io.env)}\n`)
    return 0
  }
  const workspace = realpathSync(io.cwd)
  const isTrusted = readTrustState(workspace, dataDir(io.env), configDir(io.env)).state === 'trusted'
  const found = listCandidates({ env: io.env, workspace })
  const files = found.map((file) => ({
    what: `configuration (${file.from})`,
    path: file.path,
    state: stateOf(file, found, isTrusted),
  }))
  const folders = [
    { what: 'data', path: dataDir(io.env) },
    { what: 'cache', path: cacheDir(io.env) },
  ].map((row) => ({ ...row, state: existsSync(row.path) ? 'in use' : 'not there yet' }))
  const rows = [...files, ...folders]
  if (flagArg(args, 'json')) {
    const told = rows.map((row) => ({ ...row, exists: existsSync(row.path) }))
    io.stdout.write(`${JSON.stringify(told, null, 2)}\n`)
  } else {
    const cells = rows.map((row) => [row.what, row.state, row.path])
    io.stdout.write(await formatTable(['what', 'state', 'path'], cells, io))
  }
  return 0
}

/** What becomes of a candidate when the configuration is read. */
function stateOf(
  { path, from }: ConfigCandidate,
  all: readonly ConfigCandidate[],
  isTrusted: boolean,
): string {
  if (!existsSync(path)) return 'not there'
  if (from === 'user' && all.some((other) => other.from === 'env'))
    return 'not read: ANODE_CONFIG takes its place'
  if (from === 'workspace' && !isTrusted) return 'not read until `anode trust`'
  return 'in use'
}
