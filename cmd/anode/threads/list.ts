// `anode threads list`: stored threads of this workspace, newest first.
import { realpathSync } from 'node:fs'
import { table } from '../table.ts'
import { type Args, flag, type Io, num, type Verb } from '../verb.ts'
import { shortId, when, withStore } from './open.ts'

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
  run: (args, io) => withStore(io, (store) => draw(args, io, store)),
}

async function draw(
  args: Args,
  io: Io,
  store: Parameters<Parameters<typeof withStore>[1]>[0],
): Promise<number> {
  const rows = store.threads.list({
    ...(!flag(args, 'everywhere') && { workspace: realpathSync(io.cwd) }),
    limit: num(args, 'limit') ?? 20,
    archived: flag(args, 'archived'),
  })
  if (flag(args, 'json')) io.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
  else if (rows.length === 0) io.stdout.write('No threads here yet.\n')
  else {
    const ids = rows.map(({ id }) => id)
    const everywhere = flag(args, 'everywhere')
    const head = ['thread', 'updated', 'profile', 'events', ...(everywhere ? ['workspace'] : []), 'title']
    const cells = rows.map((row) => [
      shortId(row.id, ids),
      when(row.updated),
      row.profile,
      String(row.events),
      ...(everywhere ? [row.workspace] : []),
      row.title,
    ])
    io.stdout.write(await table(head, cells, io))
  }
  return 0
}
