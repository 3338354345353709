// `anode threads archive`: takes a thread out of the listings without deleting it.
import { withDataStore } from '../../../internal/runtime/workspace/data-store.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'
import { findThread } from './thread-access.ts'

export const archive: Verb = {
  name: 'threads archive',
  summary: 'Take a thread out of the listings, or with --undo put it back',
  usage: 'threads archive THREAD [flags]',
  positionals: [{ name: 'THREAD', describe: 'Id, unique prefix of one, or last', required: true }],
  options: { undo: { type: 'boolean', describe: 'Put it back' } },
  examples: [['anode threads archive last', 'Nothing is deleted']],
  run: (args: CommandArgs, io: CommandIo) =>
    withDataStore(io.env, (store) => {
      const thread = findThread(store, String(args.THREAD))
      store.threads.archive(thread.id, !flagArg(args, 'undo'))
      io.stdout.write(`${thread.id} ${flagArg(args, 'undo') ? 'is listed again' : 'archived'}\n`)
      return 0
    }),
}
