// The command `anode harness replay`, which runs a recorded command again, with the recorded responses
// instead of its models.
import { existsSync } from 'node:fs'
import { UserError } from '../../../internal/base/errors.ts'
import { compareRecordings } from '../../../internal/service/harness/compare-recordings.ts'
import { type CommandRecording, findRecording } from '../../../internal/service/harness/recording.ts'
import { exitCodes } from '../exit-codes.ts'
import { formatJson } from '../io/json.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'
import { drawDifferences } from './differences.ts'
import { readRecordedCommand, runRecorded } from './recorded-command.ts'
import { recordingPositional } from './recording-name.ts'

export const replay: Verb = {
  name: 'harness replay',
  summary: 'Run a recorded command again without a model, and say whether it is the same',
  usage: 'harness replay [RECORDING] [flags]',
  positionals: [recordingPositional],
  options: {
    json: { type: 'boolean', describe: 'Print the comparison as JSON instead of what the command prints' },
  },
  examples: [
    ['anode harness replay last', 'In the directory of the recording; exit 1 where the run differs'],
    ['anode harness replay last -C ../clean-checkout', 'In another checkout of the same files'],
  ],
  run: replayCommand,
}

async function replayCommand(args: CommandArgs, io: CommandIo): Promise<number> {
  const recording = originOf(findRecording(io.env, String(args.RECORDING ?? 'last')), io)
  if (args.C === undefined) enterRecorded(recording)
  const command = await readRecordedCommand(recording.words)
  const { id: of, words, input } = recording
  const about = { of, words, input }
  const isJson = flagArg(args, 'json')
  const replayed = await runRecorded(command, about, isJson ? withoutOutput(io) : io)
  const differences = await compareRecordings(io.env, [recording, replayed])
  if (isJson) io.stdout.write(formatJson({ recording: of, replay: replayed.id, differences }, 2))
  else io.stderr.write(drawDifferences(recording, replayed, differences))
  return differences.length === 0 ? exitCodes.done : exitCodes.failed
}

/**
 * Returns the recording that contains the responses of the models. A replay contains none, so the recording
 * that it replayed is returned. Throws UserError if that recording was deleted, or if the recorded command
 * did not finish.
 */
function originOf(recording: CommandRecording, io: CommandIo): CommandRecording {
  const origin = recording.of === undefined ? recording : findRecording(io.env, recording.of)
  if (origin.ended !== undefined) return origin
  throw new UserError(`the recording ${origin.id} has no end: its command was killed, or still runs`, {
    hint: 'record the command anew: anode harness record -- …',
  })
}

function enterRecorded({ cwd }: CommandRecording): void {
  if (!existsSync(cwd))
    throw new UserError(`the directory of the recording is gone: ${cwd}`, {
      hint: 'name another checkout of the same files with -C DIR',
    })
  process.chdir(cwd)
}

const withoutOutput = (io: CommandIo): CommandIo =>
  Object.create(io, {
    stdout: {
      value: {
        isTTY: false,
        columns: undefined,
        stream: io.stderr.stream,
        write: (_: string, done?: () => void) => done?.(),
      },
    },
  }) as CommandIo
