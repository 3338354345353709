// The command `anode config list`, which prints every configured value that applies here, with the file
// that sets it.
import { readWorkspaceContext } from '../../../internal/runtime/workspace/workspace.ts'
import { explainNoRows } from '../io/prose.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'

export const list: Verb = {
  name: 'config list',
  summary: 'List every configured value with the file it came from',
  usage: 'config list [flags]',
  options: { json: { type: 'boolean', describe: 'Print JSON' } },
  examples: [['anode config list', 'The settings that apply here, and where each comes from']],
  run: listConfig,
}

const secret = /key|token|secret|password|authorization/i

async function listConfig(args: CommandArgs, io: CommandIo): Promise<number> {
  const { loaded } = await readWorkspaceContext(io.cwd, io.env)
  for (const note of loaded.notes) io.stderr.write(`note: ${note}\n`)
  const rows = [...loaded.origins].map(([key, file]) => ({
    key,
    value: maskSecret(key, valueAt(loaded.config, key)),
    file,
  }))
  if (flagArg(args, 'json')) io.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
  else if (rows.length === 0)
    explainNoRows(
      'Nothing is configured: the defaults are in force. `anode config set KEY VALUE` sets a value.',
      io,
    )
  else {
    const cells = rows.map(({ key, value, file }) => [
      key,
      file,
      typeof value === 'string' ? value : JSON.stringify(value),
    ])
    io.stdout.write(await formatTable(['key', 'from', 'value'], cells, io))
  }
  return 0
}

function valueAt(config: unknown, key: string): unknown {
  return key
    .split('.')
    .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], config)
}

/** Returns a configured value as it is shown. A text under a name such as `apiKey` is shown as `(set)`. */
function maskSecret(key: string, value: unknown): unknown {
  return secret.test(key.split('.').at(-1) ?? '') && typeof value === 'string' ? '(set)' : value
}
