// `anode threads delete`: removes a thread for good.
import { type Args, type Io, list, type Verb } from '../verb.ts'
import { findThread, withStore } from './open.ts'

export const deleteThread: Verb = {
  name: 'threads delete',
  summary: 'Delete threads for good',
  usage: 'threads delete THREAD...',
  positionals: [{ name: 'THREAD', describe: 'Ids or unique prefixes', required: true, many: true }],
  options: {},
  examples: [['anode threads delete sess_01J8', 'A unique prefix is enough']],
  run: (args: Args, io: Io) =>
    withStore(io, (store) => {
      // all names are looked up before the first is deleted: a mistyped one deletes nothing
      const found = list(args, 'THREAD').map((name) => findThread(store, name))
      for (const thread of found) {
        store.threads.delete(thread.id)
        io.stdout.write(`${thread.id} deleted\n`)
      }
      return 0
    }),
}
