// The question of a study from the command line. Mistyped commands and single words are rejected.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { UserError } from '../../../internal/base/errors.ts'
import { hasUnspacedScript } from '../../../internal/base/text/scripts/unspaced-script.ts'
import { exitCodes } from '../exit-codes.ts'
import { confirmAtTerminal } from '../io/confirm.ts'
import { refuseMistypedVerb } from '../mistyped-verb.ts'
import { type CommandArgs, type CommandIo, listArg, stringArg } from '../verb.ts'
import { studyVerbNames } from './verb-names.ts'

/**
 * Returns the question, before any file is read. Words after two dashes are accepted unchanged. Throws
 * UserError for an empty question, a mistyped command, and a single word that the user does not confirm.
 */
export async function readQuestion(args: CommandArgs, io: CommandIo): Promise<string> {
  const words = listArg(args, 'QUESTION')
  const question = words.join(' ').trim()
  if (question === '')
    throw new UserError('the question is empty', { hint: 'anode study "what to find out"' })
  if (args['--'] !== undefined) return question
  refuseMistypedVerb(question, { group: 'anode study', verbs: studyVerbNames, kind: 'question' })
  if (isOneWord(question) && !isFile(question, args, io)) await insistOnWord(question, io)
  return question
}

/**
 * Returns true if the question is one word. In writing without spaces, such as Chinese, the number of words
 * is unknown, so the result is false.
 */
const isOneWord = (question: string) => !/\s/.test(question) && !hasUnspacedScript(question)

/**
 * Returns true if a file or directory with the name `word` exists below `--root`, by default the working
 * directory. Such a name is a valid question, because it states the subject.
 */
function isFile(word: string, args: CommandArgs, io: CommandIo): boolean {
  return existsSync(resolve(io.cwd, stringArg(args, 'root') ?? '.', word))
}

/**
 * Asks the user on a terminal to confirm a question of a single word. Throws UserError if the user does not
 * confirm it, and without a terminal; a script must write the word after `--`.
 */
async function insistOnWord(word: string, io: CommandIo): Promise<void> {
  const shows = word.toLowerCase() === 'show' ? 'anode study report last shows the latest study; ' : ''
  const hint = `${shows}ask in a few words more, or insist: anode study -- ${word}`
  if (!io.stdin.isTTY || !io.stderr.isTTY)
    throw new UserError(`one word is not a question: ${word}`, { hint })
  if (!(await confirmAtTerminal(`Study the one word ${JSON.stringify(word)}?`, io)))
    throw new UserError('nothing was started', { hint, exit: exitCodes.denied })
}
