// The command `anode harness inspect`, which prints the content of a recording, or the differences
// between two runs.

import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { compareRecordings } from '../../../internal/service/harness/compare-recordings.ts'
import { countSteps, listRecordedSteps } from '../../../internal/service/harness/recorded-steps.ts'
import {
  type CommandRecording,
  findRecording,
  listReplays,
} from '../../../internal/service/harness/recording.ts'
import { exitCodes } from '../exit-codes.ts'
import { formatJson } from '../io/json.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg, type Verb } from '../verb.ts'
import { drawDifferences } from './differences.ts'
import { recordingPositional } from './recording-name.ts'

export const inspect: Verb = {
  name: 'harness inspect',
  summary: 'Show what a recording holds, or where two runs differ',
  usage: 'harness inspect [RECORDING] [OTHER] [flags]',
  positionals: [
    recordingPositional,
    { name: 'OTHER', describe: 'Another recording or replay: where do they differ?' },
  ],
  options: { json: { type: 'boolean', describe: 'Print JSON' } },
  examples: [
    ['anode harness inspect last', 'The command, its end, and the number of requests, calls and decisions'],
    [
      'anode harness inspect rec_01JD rec_01JE',
      'The first difference of each thread and task; exit 1 if any',
    ],
  ],
  run: inspectRecording,
}

async function inspectRecording(args: CommandArgs, io: CommandIo): Promise<number> {
  const first = findRecording(io.env, stringArg(args, 'RECORDING') ?? 'last')
  const other = stringArg(args, 'OTHER')
  if (other === undefined) return printSummary(first, args, io)
  const second = findRecording(io.env, other)
  const differences = await compareRecordings(io.env, [first, second])
  if (flagArg(args, 'json'))
    io.stdout.write(formatJson({ first: first.id, second: second.id, differences }, 2))
  else io.stdout.write(drawDifferences(first, second, differences))
  return differences.length === 0 ? exitCodes.done : exitCodes.failed
}

async function printSummary(recording: CommandRecording, args: CommandArgs, io: CommandIo): Promise<number> {
  const counts = countSteps(await listRecordedSteps(io.env, recording))
  const replays = listReplays(io.env, recording).map(({ id, exit }) => ({ id, exit }))
  const { input: _, ...facts } = recording
  if (flagArg(args, 'json')) io.stdout.write(formatJson({ ...facts, counts, replays }, 2))
  else io.stdout.write(drawSummary(recording, counts, replays))
  return exitCodes.done
}

function drawSummary(
  { id, of, words, cwd, started, ended: endTime, exit, threads, studies }: CommandRecording,
  counts: Readonly<Record<string, number>>,
  replays: readonly { id: string; exit: number | undefined }[],
): string {
  const seconds = endTime === undefined ? 'no end' : `${((endTime - started) / 1000).toFixed(1)} s`
  const lines = [
    `${id}${of === undefined ? '' : `  replay of ${of}`}`,
    `command    anode ${words.map((word) => (/[\s"']/.test(word) ? JSON.stringify(word) : word)).join(' ')}`,
    `directory  ${cwd}`,
    `end        exit ${exit ?? 'unknown'}, ${seconds}`,
    `steps      ${
      Object.entries(counts)
        .map(([kind, n]) => `${kind} ${n}`)
        .join(', ') || 'none'
    }`,
    ...threads.map((thread) => `thread     ${thread}`),
    ...studies.map((study) => `study      ${study}`),
    ...replays.map((replay) => `replay     ${replay.id}, exit ${replay.exit ?? 'unknown'}`),
  ]
  return sanitizeText(`${lines.join('\n')}\n`, { keepLines: true })
}
