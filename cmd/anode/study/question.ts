// The question of a study as it was typed: a mistyped command or a lone word is no question yet.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { UserError } from '../../../internal/base/errors.ts'
import { findNearest } from '../../../internal/base/text/name-suggestion.ts'
import { hasUnspacedScript } from '../../../internal/base/text/scripts/unspaced-script.ts'
import { exitCodes } from '../exit-codes.ts'
import { type CommandArgs, type CommandIo, listArg, stringArg } from '../verb.ts'
import { studyVerbNames } from './verb-names.ts'

/**
 * The question, before anything is read or spent. Words behind two dashes are taken as they are. Throws
 * UserError for an empty question, a mistyped command, and a single word that nobody insists on.
 */
export async function readQuestion(args: CommandArgs, io: CommandIo): Promise<string> {
  const words = listArg(args, 'QUESTION')
  const question = words.join(' ').trim()
  if (question === '')
    throw new UserError('the question is empty', { hint: 'anode study "what to find out"' })
  if (args['--'] !== undefined) return question
  refuseVerb(question)
  if (isOneWord(question) && !isFile(question, args, io)) await insistOnWord(question, io)
  return question
}

/** A script without spaces says nothing about how many words there are. */
const isOneWord = (question: string) => !/\s/.test(question) && !hasUnspacedScript(question)

/** `statsu 01JD3K8Q` is no question, and neither are `reprot` and `delete last`. */
function refuseVerb(question: string): void {
  const [first = '', second, ...more] = question.split(/\s+/)
  if (more.length > 0 || (second !== undefined && !/^(?:last|[0-9A-HJKMNP-TV-Z]{6,26})$/i.test(second)))
    return
  const near = findNearest(first, studyVerbNames, 1)[0]
  if (near === undefined && !namesStudy(second)) return
  const meant =
    near === undefined
      ? `the commands are ${studyVerbNames.join(', ')}.`
      : `did you mean ${['anode study', near, ...(second === undefined ? [] : [second])].join(' ')}?`
  throw new UserError(`study has no command ${first}`, {
    hint: `${meant} To ask it as a question: anode study -- ${question}`,
  })
}

/** `last`, or an id: those begin with their time, in which there are digits. */
const namesStudy = (word: string | undefined) =>
  word !== undefined && /^(?:last|0[0-9A-HJKMNP-TV-Z]{5,25})$/i.test(word)

/** A file's name says what the question is about. */
function isFile(word: string, args: CommandArgs, io: CommandIo): boolean {
  return existsSync(resolve(io.cwd, stringArg(args, 'root') ?? '.', word))
}

/** At a terminal a person is asked; a script has to say that it means the word. */
async function insistOnWord(word: string, io: CommandIo): Promise<void> {
  const hint = `ask in a few words more, or insist: anode study -- ${word}`
  if (!io.stdin.isTTY || !io.stderr.isTTY)
    throw new UserError(`one word is not a question: ${word}`, { hint })
  const { confirm } = await import('@clack/prompts')
  const answer = await confirm({
    message: `Study the one word ${JSON.stringify(word)}?`,
    initialValue: false,
    input: io.stdin,
    output: io.stderr.stream,
    signal: io.signal,
  })
  if (answer !== true) throw new UserError('nothing was started', { hint, exit: exitCodes.denied })
}
