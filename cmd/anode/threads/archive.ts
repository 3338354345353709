// The command `anode threads archive`, which hides a thread in lists without deleting it, or with --undo
// lists it again.
import { withDataStore } from '../../../internal/runtime/workspace/data-store.ts'
import { doneOptions, printDone } from '../io/done-line.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'
import { findThread } from './thread-access.ts'

export const archive: Verb = {
  name: 'threads archive',
  summary: 'Take a thread out of the listings, or with --undo put it back',
  usage: 'threads archive THREAD [flags]',
  positionals: [{ name: 'THREAD', describe: 'Id, unique prefix of one, or last', required: true }],
  options: { undo: { type: 'boolean', describe: 'Put it back' }, ...doneOptions },
  examples: [['anode threads archive last', 'Nothing is deleted']],
  run: (args: CommandArgs, io: CommandIo) =>
    withDataStore(io.env, (store) => {
      const thread = findThread(store, String(args.THREAD))
      const archived = !flagArg(args, 'undo')
      store.threads.archive(thread.id, archived)
      const text = `${thread.id} ${archived ? 'archived' : 'is listed again'}\n`
      printDone(args, io, text, { thread: thread.id, archived })
      return 0
    }),
}
