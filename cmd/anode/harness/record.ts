// The command `anode harness record`, which runs a command and records the responses of its models.
import { countNoun } from '../../../internal/base/text/count-noun.ts'
import { countReplies } from '../../../internal/service/harness/recorded-steps.ts'
import { exitCodes } from '../exit-codes.ts'
import { type CommandArgs, type CommandIo, listArg, type Verb } from '../verb.ts'
import { readRecordedCommand, runRecorded } from './recorded-command.ts'

export const record: Verb = {
  name: 'harness record',
  summary: 'Run a command and record the replies of its models',
  usage: 'harness record -- COMMAND …',
  positionals: [
    {
      name: 'COMMAND',
      describe: 'execute, study, review, research auto or tools use, with its flags',
      many: true,
    },
  ],
  options: {},
  examples: [
    [
      'anode harness record -- study "How are locks taken?"',
      'Runs the study; anode harness replay last repeats it',
    ],
    ['anode harness record -- execute "Fix the test" --approval auto', 'One run of an agent'],
  ],
  run: recordCommand,
}

/**
 * Exit codes of complete recordings. Such a recording is a success, even if a limit ended the command, an
 * approval was missing or a check did not pass.
 */
const complete: ReadonlySet<number> = new Set([
  exitCodes.done,
  exitCodes.limit,
  exitCodes.denied,
  exitCodes.unverified,
])

async function recordCommand(args: CommandArgs, io: CommandIo): Promise<number> {
  const words = listArg(args, 'COMMAND')
  const recording = await runRecorded(await readRecordedCommand(words), { words }, io)
  const { id, exit = exitCodes.failed } = recording
  const count = countNoun(await countReplies(io.env, recording), 'reply', 'replies')
  io.stderr.write(`recorded ${id}: exit ${exit}, ${count}\nreplay it with: anode harness replay ${id}\n`)
  return complete.has(exit) ? exitCodes.done : exit
}
