// `anode threads list`: stored threads of this workspace, newest first.
import { realpathSync } from 'node:fs'
import { withDataStore } from '../../../internal/host/user/data-store.ts'
import type { Store } from '../../../internal/store/store.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, numberArg, type Verb } from '../verb.ts'
import { formatMinute, shortId } from './thread-access.ts'

export const list: Verb = {
  name: 'threads list',
  summary: 'List the threads of this workspace, newest first',
  usage: 'threads list [flags]',
  options: {
    limit: { type: 'number', describe: 'At most this many', default: 20, value: 'N' },
    everywhere: { type: 'boolean', describe: 'Of all workspaces, with where each was' },
    archived: { type: 'boolean', describe: 'Archived ones instead' },
    json: { type: 'boolean', describe: 'Print JSON' },
  },
  examples: [['anode threads list --limit 5', 'The five newest threads']],
  run: (args, io) => withDataStore(io.env, (store) => draw(args, io, store)),
}

async function draw(args: CommandArgs, io: CommandIo, store: Store): Promise<number> {
  const rows = store.threads.list({
    ...(!flagArg(args, 'everywhere') && { workspace: realpathSync(io.cwd) }),
    limit: numberArg(args, 'limit') ?? 20,
    archived: flagArg(args, 'archived'),
  })
  if (flagArg(args, 'json')) io.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
  else if (rows.length === 0) io.stdout.write('No threads here yet.\n')
  else {
    const ids = rows.map(({ id }) => id)
    const everywhere = flagArg(args, 'everywhere')
    const head = ['thread', 'updated', 'profile', 'events', ...(everywhere ? ['workspace'] : []), 'title']
    const cells = rows.map((row) => [
      shortId(row.id, ids),
      formatMinute(row.updated),
      row.profile,
      String(row.events),
      ...(everywhere ? [row.workspace] : []),
      row.title,
    ])
    io.stdout.write(await formatTable(head, cells, io))
  }
  return 0
}
