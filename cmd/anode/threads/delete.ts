// `anode threads delete`: removes a thread for good.

import { UserError } from '../../../internal/base/errors.ts'
import { countNoun } from '../../../internal/base/text/count-noun.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { withDataStore } from '../../../internal/runtime/workspace/data-store.ts'
import type { Thread } from '../../../internal/store/store.ts'
import { exitCodes } from '../exit-codes.ts'
import { type CommandArgs, type CommandIo, flagArg, listArg, type Verb } from '../verb.ts'
import { findThread } from './thread-access.ts'

export const deleteThread: Verb = {
  name: 'threads delete',
  summary: 'Delete threads for good',
  usage: 'threads delete THREAD... [flags]',
  positionals: [{ name: 'THREAD', describe: 'Ids or unique prefixes', required: true, many: true }],
  options: { yes: { type: 'boolean', describe: 'Do not ask; needed without a terminal', alias: 'y' } },
  examples: [['anode threads delete sess_01J8', 'A unique prefix is enough']],
  run: (args: CommandArgs, io: CommandIo) =>
    withDataStore(io.env, async (store) => {
      // all names are looked up before the first is deleted: a mistyped one deletes nothing
      const found = listArg(args, 'THREAD').map((name) => findThread(store, name))
      if (!flagArg(args, 'yes') && !(await confirmDeletion(found, io))) return exitCodes.denied
      for (const thread of found) {
        store.threads.delete(thread.id)
        io.stdout.write(`${thread.id} deleted\n`)
      }
      return 0
    }),
}

/** Throws UserError where no one can be asked. */
async function confirmDeletion(threads: readonly Thread[], io: CommandIo): Promise<boolean> {
  if (!io.stdin.isTTY || !io.stderr.isTTY)
    throw new UserError('deleting threads needs --yes without a terminal', {
      hint: `nothing was deleted; add --yes: anode threads delete ${threads[0]?.id} --yes`,
      exit: exitCodes.usage,
    })
  const { confirm } = await import('@clack/prompts')
  for (const { id, title, events } of threads)
    io.stderr.write(`${id}  ${countNoun(events, 'event')}  ${sanitizeText(title)}\n`)
  const answer = await confirm({
    message: threads.length === 1 ? 'Delete it for good?' : `Delete these ${threads.length} for good?`,
    initialValue: false,
    input: io.stdin,
    output: io.stderr.stream,
    signal: io.signal,
  })
  return answer === true
}
