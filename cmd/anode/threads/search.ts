// The command `anode threads search`, which searches the full text of stored threads.
import { realpathSync } from 'node:fs'
import { withDataStore } from '../../../internal/runtime/workspace/data-store.ts'
import type { Store } from '../../../internal/store/store.ts'
import { readNumber } from '../flags.ts'
import { explainNoRows } from '../io/prose.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, listArg, type Verb } from '../verb.ts'

export const search: Verb = {
  name: 'threads search',
  summary: 'Search messages, arguments and results of stored threads; best first',
  usage: 'threads search WORDS [flags]',
  positionals: [{ name: 'WORDS', describe: 'What to look for', required: true, many: true }],
  options: {
    limit: { type: 'number', describe: 'At most this many', default: 10, value: 'N' },
    everywhere: { type: 'boolean', describe: 'In all workspaces' },
    json: { type: 'boolean', describe: 'Print JSON' },
  },
  examples: [['anode threads search "retry policy"', 'Where it was talked about']],
  run: (args, io) => withDataStore(io.env, (store) => searchThreads(args, io, store)),
}

async function searchThreads(args: CommandArgs, io: CommandIo, store: Store): Promise<number> {
  const hits = store.threads.search(listArg(args, 'WORDS').join(' '), {
    workspace: flagArg(args, 'everywhere') ? undefined : realpathSync(io.cwd),
    limit: readNumber(args, 'limit', 0) ?? 10,
  })
  if (flagArg(args, 'json')) io.stdout.write(`${JSON.stringify(hits, null, 2)}\n`)
  else if (hits.length === 0) explainNoRows(nothingFound(args), io)
  else
    io.stdout.write(
      await formatTable(
        ['thread', 'event', 'text'],
        hits.map((h) => [h.thread.id, String(h.pos), h.snippet]),
        io,
      ),
    )
  return 0
}

const nothingFound = (args: CommandArgs) =>
  flagArg(args, 'everywhere')
    ? 'Nothing found.'
    : 'Nothing found here. With --everywhere all workspaces are searched.'
