// The command `anode threads delete`, which deletes threads permanently.
import { countNoun } from '../../../internal/base/text/count-noun.ts'
import { withDataStore } from '../../../internal/runtime/workspace/data-store.ts'
import { deleteItems, deletionOptions } from '../io/deletion.ts'
import { type CommandArgs, type CommandIo, listArg, type Verb } from '../verb.ts'
import { findThread } from './thread-access.ts'

export const deleteThread: Verb = {
  name: 'threads delete',
  summary: 'Delete threads for good',
  usage: 'threads delete THREAD... [flags]',
  positionals: [{ name: 'THREAD', describe: 'Ids or unique prefixes', required: true, many: true }],
  options: {
    yes: { type: 'boolean', describe: 'Do not ask; needed without a terminal', alias: 'y' },
    json: deletionOptions.json,
  },
  examples: [['anode threads delete sess_01J8', 'A unique prefix is enough']],
  run: (args: CommandArgs, io: CommandIo) =>
    withDataStore(io.env, async (store) => {
      // All names are looked up first, so that a mistyped name deletes nothing.
      const threads = listArg(args, 'THREAD').map((name) => findThread(store, name))
      const items = threads.map(({ id, title, events }) => ({
        kind: 'thread',
        id,
        about: `${id}  ${countNoun(events, 'event')}  ${title}`,
        done: `${id} deleted`,
      }))
      const command = ['threads', 'delete', ...threads.map(({ id }) => id)]
      return deleteItems({ command, items, asks: 'always' }, args, io, () => {
        for (const { id } of threads) store.threads.delete(id)
      })
    }),
}
