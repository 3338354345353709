// The command `anode serve stop`, which stops the server; runs continue.
import { dataDir } from '../../../internal/base/dirs.ts'
import { stopServer } from '../../../internal/service/server/server-service.ts'
import { doneOptions, printDone } from '../io/done-line.ts'
import type { CommandArgs, CommandIo, Verb } from '../verb.ts'

export const stop: Verb = {
  name: 'serve stop',
  summary: 'Stop the server; runs continue',
  usage: 'serve stop [flags]',
  options: doneOptions,
  examples: [['anode serve stop', 'Says whether there was one']],
  async run(args: CommandArgs, io: CommandIo): Promise<number> {
    const stopped = await stopServer(dataDir(io.env))
    printDone(args, io, stopped ? 'stopped\n' : 'no server runs\n', { stopped })
    return 0
  },
}
