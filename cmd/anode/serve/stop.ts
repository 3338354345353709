// `anode serve stop`: ends the server; runs go on.
import { dataDir } from '../../../internal/base/dirs.ts'
import { stopServer } from '../../../internal/service/server/server-service.ts'
import type { CommandArgs, CommandIo, Verb } from '../verb.ts'

export const stop: Verb = {
  name: 'serve stop',
  summary: 'End the server; runs go on',
  usage: 'serve stop',
  options: {},
  examples: [['anode serve stop', 'Says whether there was one']],
  async run(_: CommandArgs, io: CommandIo): Promise<number> {
    io.stdout.write((await stopServer(dataDir(io.env))) ? 'stopped\n' : 'no server runs\n')
    return 0
  },
}
