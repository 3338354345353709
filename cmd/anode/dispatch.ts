// The dispatch of a command line, which finds the verb, imports its module, and converts the result to
// an exit code.
import { UserError } from '../../internal/base/errors.ts'
import { cleanProgramPath } from '../../internal/runtime/workspace/program-path.ts'
import { closedPipe, openIo } from './io/streams.ts'
import { parseArgs } from './parse-args.ts'
import {
  type CommandArgs,
  type CommandIo,
  isGroup,
  loadVerb,
  type Verb,
  type VerbEntry,
  type VerbGroup,
  type VerbOrGroup,
} from './verb.ts'
import { aliases, verbs } from './verbs.ts'

const loadRefusal = () => import('./refused-line/refusal.ts')
const loadHelp = () => import('./help.ts')
const loadReport = () => import('./io/error-report.ts')

/** Runs a command line and resolves to the exit code. Errors of the command are reported and never reject. */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  const io = openIo()
  // The listener is removed before it runs, so that Node ends the process if the report itself fails.
  process.once('uncaughtException', async (error) =>
    process.exit((await loadReport()).reportFailure(error, io, words)),
  )
  try {
    const code = await dispatchWords([...words], io)
    return signalExitCode(io.signal, code)
  } catch (error) {
    if (io.signal.reason === closedPipe) return 0
    return signalExitCode(io.signal, (await loadReport()).reportFailure(error, io, words))
  }
}

/**
 * Returns the exit code of the process. After a signal, 130 becomes 128 plus the signal's number; without
 * a reader of the output, every code becomes 0.
 */
function signalExitCode(signal: AbortSignal, code: number): number {
  if (signal.reason === closedPipe) return 0
  return code === 130 && signal.aborted ? Number(process.exitCode ?? code) : code
}

async function dispatchWords(words: string[], io: CommandIo): Promise<number> {
  if (words.length === 0) return runWithoutCommand([], [], io)
  const path: string[] = []
  let table: Readonly<Record<string, VerbEntry | (() => Promise<VerbOrGroup>)>> = verbs
  let group: VerbGroup | undefined
  for (;;) {
    const word = words[path.length] as string | undefined
    const name = word !== undefined && path.length === 0 ? (aliases[word] ?? word) : word
    const entry = name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined
    const isHelp = (word === undefined && !group?.runsAlone) || word === '--help' || word === '-h'
    if (!entry && group?.otherwise && !isHelp)
      return runVerb(await loadVerb(group.otherwise), words.slice(path.length), io)
    if (!entry) return handleUnknownWord(path, words, table, io)
    path.push(word as string)
    const command: VerbOrGroup = typeof entry === 'function' ? await entry() : entry
    if (!isGroup(command)) return runVerb(command, words.slice(path.length), io)
    table = command.verbs
    group = command
  }
}

async function runVerb(verb: Verb, words: string[], io: CommandIo): Promise<number> {
  const args = await readArgs(verb, words)
  if (args.help === true) return (await loadHelp()).printHelp(verb, io)
  if (args.C !== undefined) enterDirectory(String(args.C))
  await cleanProgramPath(process.env, io.cwd)
  return verb.run(args, io)
}

/**
 * Parses the words of a command line. Throws UserError like `parseArgs`; its hint may name the commands that
 * have an unknown flag, or the command that an unexpected word means.
 */
async function readArgs(verb: Verb, words: readonly string[]): Promise<CommandArgs> {
  try {
    return parseArgs(verb, words)
  } catch (error) {
    throw await (await loadRefusal()).explainRefusal(error, words, verb.name)
  }
}

async function handleUnknownWord(
  path: string[],
  words: string[],
  table: object,
  io: CommandIo,
): Promise<number> {
  const word = words[path.length]
  if (word === undefined || word === '--help' || word === '-h') {
    return (await loadHelp()).printGroup(path, io)
  }
  const { readUnknownWords } = await loadRefusal()
  return runWithoutCommand(words, await readUnknownWords(path, words, Object.keys(table)), io)
}

/**
 * Runs a command line without a command as a session or as one task, and prints the help if it is neither.
 * `meant` contains the words of the task; it is empty for an empty command line.
 */
async function runWithoutCommand(words: string[], meant: string[], io: CommandIo): Promise<number> {
  const { readBareLine } = await import('./session/session-line.ts')
  const line = await readBareLine(words, meant, io)
  return line ? runVerb(line.verb, line.words, io) : (await loadHelp()).printGroup([], io)
}

/** Changes to the directory of the flag `-C`. Throws UserError if that is not possible. */
function enterDirectory(path: string): void {
  try {
    process.chdir(path)
  } catch (error) {
    throw new UserError(`-C ${path}: no such directory, or not yours`, {
      hint: 'name a directory that exists',
      cause: error,
    })
  }
}
