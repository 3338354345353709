// The command `anode runs cancel`, which ends a run.
import { UserError } from '../../../internal/base/errors.ts'
import { cancelRun } from '../../../internal/service/runs/run-access.ts'
import { doneOptions, printDone } from '../io/done-line.ts'
import type { CommandArgs, CommandIo, Verb } from '../verb.ts'
import { findRun } from './run-place.ts'

export const cancel: Verb = {
  name: 'runs cancel',
  summary: 'End a run; its thread remains, and `anode attach` can resume it',
  usage: 'runs cancel RUN [flags]',
  positionals: [{ name: 'RUN', describe: 'Id, unique prefix of one, or last', required: true }],
  options: doneOptions,
  examples: [['anode runs cancel last', 'End the newest run of this workspace']],
  run: endRun,
}

async function endRun(args: CommandArgs, io: CommandIo): Promise<number> {
  const name = String(args.RUN)
  const run = await findRun(name, io)
  if (!run) throw new UserError(`unknown run "${name}"`, { hint: 'see `anode runs list`' })
  const done = await cancelRun(io.env, run.thread)
  const isCancelled = done === 'cancelled'
  const text = `${run.thread} ${isCancelled ? 'cancelled' : 'had ended already'}\n`
  printDone(args, io, text, { thread: run.thread, cancelled: isCancelled })
  return 0
}
