// The run of a command in this process while its models are recorded or replayed. The output of the
// command is stored.
import { realpathSync } from 'node:fs'
import { Readable } from 'node:stream'
import { UserError } from '../../../internal/base/errors.ts'
import { collectCreated, listCreated } from '../../../internal/base/ids.ts'
import {
  beginRecording,
  type CommandRecording,
  saveOutput,
  saveRecording,
  tapeOf,
} from '../../../internal/service/harness/recording.ts'
import { setModelTape } from '../../../internal/service/harness/tape.ts'
import { execute } from '../execute/index.ts'
import type { CommandOutput } from '../io/command-output.ts'
import { reportFailure } from '../io/error-report.ts'
import { readStdin } from '../io/streams.ts'
import { loadAuto, loadReview, loadStudy } from '../long-verbs.ts'
import { parseArgs } from '../parse-args.ts'
import { tools } from '../tools/index.ts'
import { type CommandArgs, type CommandIo, loadVerb, type Verb, type VerbEntry } from '../verb.ts'

const recordable: Readonly<Record<string, VerbEntry>> = {
  execute,
  study: loadStudy,
  review: loadReview,
  'research auto': loadAuto,
  'tools use': tools.verbs.use as VerbEntry,
}

const otherNames: Readonly<Record<string, string>> = { exec: 'execute', run: 'execute', '-x': 'execute' }

interface RecordedCommand {
  verb: Verb
  args: CommandArgs
}

/**
 * Parses the command line of the command to record, before anything runs. Throws UserError for a command that
 * cannot be recorded and for invalid flags.
 */
export async function readRecordedCommand(words: readonly string[]): Promise<RecordedCommand> {
  const [first = '', second = ''] = words
  const name = otherNames[first] ?? first
  const commandName = [name, `${name} ${second}`].find((one) => Object.hasOwn(recordable, one))
  if (commandName === undefined)
    throw new UserError(first === '' ? 'no command to record' : `cannot record "anode ${first}"`, {
      hint: `record one of ${Object.keys(recordable).join(', ')}: anode harness record -- study "question"`,
    })
  const verb = await loadVerb(recordable[commandName] as VerbEntry)
  return { verb, args: parseArgs(verb, words.slice(commandName.split(' ').length)) }
}

/**
 * Runs the command and returns its recording, which contains the exit code. An error of the command
 * is reported as usual and does not reject. Throws UserError if the directory of the flag `-C`
 * cannot be entered.
 */
export async function runRecorded(
  { verb, args }: RecordedCommand,
  about: Pick<CommandRecording, 'of' | 'words' | 'input'>,
  io: CommandIo,
): Promise<CommandRecording> {
  const { C: directory, ...verbArgs } = args
  // For a replay, the process is already in the directory of the recording, or in the one that the flag `-C`
  // of the replay names.
  if (directory !== undefined && about.of === undefined) enterDirectory(String(directory))
  const input = about.input ?? (about.of === undefined && io.piped ? await readStdin(io) : undefined)
  const cwd = realpathSync(io.cwd)
  const newRecording = await beginRecording(io.env, { ...about, cwd, input })
  const out = teeOutput(io.stdout)
  const inner = Object.create(io, {
    stdout: { value: out },
    ...(input !== undefined && {
      stdin: { value: Readable.from([Buffer.from(input)]) },
      piped: { value: true },
    }),
  }) as CommandIo
  collectCreated()
  setModelTape(tapeOf(io.env, newRecording))
  let exit: number
  try {
    exit = await verb.run(verbArgs, inner)
  } catch (error) {
    exit = reportFailure(error, io, about.words)
  } finally {
    setModelTape(undefined)
  }
  const of = (kind: string) => listCreated().flatMap((one) => (one.kind === kind ? [one.id] : []))
  const recording = { ...newRecording, ended: Date.now(), exit, threads: of('thread'), studies: of('study') }
  await saveOutput(io.env, recording, out.text())
  await saveRecording(io.env, recording)
  return recording
}

function enterDirectory(directory: string): void {
  try {
    process.chdir(directory)
  } catch (cause) {
    throw new UserError(`-C ${directory}: not a directory that you can enter`, {
      hint: 'name a directory that exists',
      cause,
    })
  }
}

/**
 * Largest number of characters of output that are stored for a comparison; the output after them
 * is not stored.
 */
const maxOutput = 8_000_000

function teeOutput(inner: CommandOutput): CommandOutput & { text(): string } {
  let text = ''
  return {
    get isTTY() {
      return inner.isTTY
    },
    get columns() {
      return inner.columns
    },
    get stream() {
      return inner.stream
    },
    draw: (message) => inner.draw(message),
    write(message, done) {
      text = (text + message).slice(0, maxOutput)
      return inner.write(message, done)
    },
    text: () => text,
  }
}
