// The task of a run in words: from the command line, from standard input, or from both.
import { UserError } from '../../../internal/base/errors.ts'
import { exitCodes } from '../exit-codes.ts'
import { readStdin } from '../io/streams.ts'
import { type CommandArgs, type CommandIo, flagArg, listArg, stringArg } from '../verb.ts'

/**
 * The words, else standard input; both together when something is piped in beside the words. Undefined
 * where a thread or JSON lines can say what to do; throws UserError where nothing does.
 */
export async function readTaskText(args: CommandArgs, io: CommandIo): Promise<string | undefined> {
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
  throw noTaskError()
}

export const noTaskError = () =>
  new UserError('no task was given', { hint: 'anode execute "what to do"', exit: exitCodes.usage })
