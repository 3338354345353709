// The command `anode harness delete`, which removes a recording with its replays, or one replay.
import { deleteRecording, findRecording } from '../../../internal/service/harness/recording.ts'
import { deleteItems, deletionOptions } from '../io/deletion.ts'
import type { CommandArgs, CommandIo, Verb } from '../verb.ts'

export const remove: Verb = {
  name: 'harness delete',
  summary: 'Delete a recording and its replays; threads and studies stay',
  usage: 'harness delete RECORDING [flags]',
  positionals: [{ name: 'RECORDING', describe: 'Id, unique prefix of one, or last', required: true }],
  options: deletionOptions,
  examples: [['anode harness delete last', 'The replies are gone; the threads stay in anode threads list']],
  run: deleteOne,
}

async function deleteOne(args: CommandArgs, io: CommandIo): Promise<number> {
  const recording = findRecording(io.env, String(args.RECORDING))
  const { id } = recording
  const items = [{ kind: 'recording', id, done: `deleted ${id}` }]
  return deleteItems({ command: ['harness', 'delete', id], items, asks: 'terminal' }, args, io, () =>
    deleteRecording(io.env, recording),
  )
}
