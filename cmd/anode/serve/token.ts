// The command `anode serve token`, which creates an access token for another program.
import { dataDir } from '../../../internal/base/dirs.ts'
import { giveToken } from '../../../internal/service/server/token-file.ts'
import { parseDuration } from '../../../internal/tui/duration.ts'
import { printDone } from '../io/done-line.ts'
import type { CommandArgs, CommandIo, Verb } from '../verb.ts'

const scopes = ['read', 'act', 'approve'] as const

export const token: Verb = {
  name: 'serve token',
  summary: 'Print a new token for another program; it is kept nowhere else',
  usage: 'serve token [flags]',
  options: {
    scope: {
      type: 'string',
      describe: 'View; also send, steer and stop; also answer for you and set the approval mode',
      choices: scopes,
      default: 'read',
    },
    ttl: {
      type: 'string',
      describe: 'How long it is worth something, such as 8h',
      default: '24h',
      value: 'D',
    },
    json: { type: 'boolean', describe: 'Print as JSON' },
  },
  examples: [['anode serve token --scope act --ttl 8h', 'For a script that steers runs']],
  async run(args: CommandArgs, io: CommandIo): Promise<number> {
    const scope = String(args.scope) as (typeof scopes)[number]
    const value = await giveToken(dataDir(io.env), scope, parseDuration(String(args.ttl)))
    printDone(args, io, `${value}\n`, { token: value, scope })
    return 0
  },
}
