// `anode threads delete`: removes a thread for good.
import { clean } from '../../../internal/render/clean.ts'
import type { Thread } from '../../../internal/store/store.ts'
import { exit } from '../exit.ts'
import { type Args, flag, type Io, list, type Verb } from '../verb.ts'
import { findThread, withStore } from './open.ts'

export const deleteThread: Verb = {
  name: 'threads delete',
  summary: 'Delete threads for good',
  usage: 'threads delete THREAD... [flags]',
  positionals: [{ name: 'THREAD', describe: 'Ids or unique prefixes', required: true, many: true }],
  options: { yes: { type: 'boolean', describe: 'Do not ask', alias: 'y' } },
  examples: [['anode threads delete sess_01J8', 'A unique prefix is enough']],
  run: (args: Args, io: Io) =>
    withStore(io, async (store) => {
      // all names are looked up before the first is deleted: a mistyped one deletes nothing
      const found = list(args, 'THREAD').map((name) => findThread(store, name))
      if (!flag(args, 'yes') && !(await confirmDeletion(found, io))) return exit.denied
      for (const thread of found) {
        store.threads.delete(thread.id)
        io.stdout.write(`${thread.id} deleted\n`)
      }
      return 0
    }),
}

/** A script says what it means by naming ids; at a terminal a person is shown what they meant. */
async function confirmDeletion(threads: readonly Thread[], io: Io): Promise<boolean> {
  if (!io.stdin.isTTY || !io.stderr.isTTY) return true
  const { confirm } = await import('@clack/prompts')
  for (const { id, title, events } of threads) io.stderr.write(`${id}  ${events} events  ${clean(title)}\n`)
  const answer = await confirm({
    message: threads.length === 1 ? 'Delete it for good?' : `Delete these ${threads.length} for good?`,
    initialValue: false,
    input: io.stdin,
    output: io.stderr.stream,
    signal: io.signal,
  })
  return answer === true
}
