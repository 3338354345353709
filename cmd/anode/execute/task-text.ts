// The task text of a run, from the command line, standard input, or both.
import { UserError } from '../../../internal/base/errors.ts'
import { exitCodes } from '../exit-codes.ts'
import { readStdin } from '../io/streams.ts'
import { type CommandArgs, type CommandIo, flagArg, listArg, stringArg } from '../verb.ts'

/**
 * Returns the words of the command line, else standard input; if both exist, both together. Returns undefined
 * if a thread or JSON lines can supply the task. Throws UserError without any task;
 * its hint names `command`.
 */
export async function readTaskText(
  args: CommandArgs,
  io: CommandIo,
  command = 'execute',
): Promise<string | undefined> {
  const words = listArg(args, 'TASK').join(' ').trim()
  const open = !io.piped || flagArg(args, 'stream-json-input')
  const piped = open ? '' : (await readStdin(io)).trim()
  const text = words !== '' && piped !== '' ? `${words}\n\n${piped}` : words || piped
  if (text !== '') return text
  if (
    stringArg(args, 'resume') !== undefined ||
    stringArg(args, 'fork') !== undefined ||
    flagArg(args, 'stream-json-input')
  )
    return undefined
  throw noTaskError(command)
}

export const noTaskError = (command = 'execute') =>
  new UserError('no task was given', { hint: `anode ${command} "what to do"`, exit: exitCodes.usage })
