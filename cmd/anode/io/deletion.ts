// The confirmation before commands that delete or undo something, and their output afterwards.
import { UserError } from '../../../internal/base/errors.ts'
import { quoteWord } from '../../../internal/base/text/quoting/shell-word.ts'
import { filterPrintedText } from '../../../internal/render/text/terminal-filter.ts'
import { isTerminal, readYes } from '../consent.ts'
import { exitCodes } from '../exit-codes.ts'
import { type CommandArgs, type CommandIo, type CommandOption, flagArg } from '../verb.ts'
import { formatJson } from './json.ts'

export const deletionOptions = {
  yes: { type: 'boolean', describe: 'Do not ask', alias: 'y' },
  json: { type: 'boolean', describe: 'Print as JSON what was deleted' },
} as const satisfies Readonly<Record<string, CommandOption>>

/** One item that a command deletes. */
interface DeletedItem {
  /** The kind of the item, such as `thread`. */
  kind: string
  id: string
  /** Text that is shown above the question. Default: kind and id of the item. */
  about?: string
  /** The line that is printed after the item was deleted. */
  done: string
}

interface DeletionRequest {
  command: readonly string[]
  items: readonly DeletedItem[]
  /** Question to the user before the deletion. Default: `Delete it?`, or `Delete these 2?` for two items. */
  question?: string
  /**
   * When the command asks the user, unless `--yes` is set. `always`: without a terminal, the command then
   * needs `--yes`. `terminal`: it asks only on a terminal. Default: never, because the user can create
   * the items again.
   */
  asks?: 'always' | 'terminal'
}

/**
 * Asks the user if `deletion.asks` requires it, deletes the items with `work`, and prints the
 * result. Resolves to the exit code. Throws UserError if the user does not confirm, or if `--yes` is
 * required and missing.
 */
export async function deleteItems(
  deletion: DeletionRequest,
  args: CommandArgs,
  io: CommandIo,
  work: () => unknown,
): Promise<number> {
  const { items } = deletion
  await confirmDeletion(deletion, args, io)
  await work()
  if (flagArg(args, 'json'))
    io.stdout.write(formatJson({ deleted: items.map(({ kind, id }) => ({ kind, id })) }, 2))
  else for (const { done } of items) io.stdout.write(`${done}\n`)
  return exitCodes.done
}

/**
 * Asks the user if `asks` and the terminal require it, and `--yes` is not set. Throws UserError if the user
 * does not type `yes`, or if `--yes` is required and missing.
 */
export async function confirmDeletion(
  {
    command,
    items,
    asks,
    question = items.length === 1 ? 'Delete it?' : `Delete these ${items.length}?`,
  }: DeletionRequest,
  args: CommandArgs,
  io: CommandIo,
): Promise<void> {
  if (flagArg(args, 'yes') || asks === undefined) return
  if (!isTerminal(io)) {
    if (asks === 'terminal') return
    const line = ['anode', ...command, '--yes'].map(quoteWord).join(' ')
    throw new UserError(`without a terminal this needs --yes`, {
      hint: `nothing was changed; run: ${line}`,
    })
  }
  for (const { kind, id, about } of items) io.stderr.write(`${filterPrintedText(about ?? `${kind} ${id}`)}\n`)
  if (!(await readYes(question, io)))
    throw new UserError('nothing was changed, because the answer was not yes', {
      exit: exitCodes.denied,
    })
}
