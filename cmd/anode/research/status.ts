// The command `anode research status`, which prints the state of a session, once or as it changes.
import { writeText } from '../io/streams.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'
import { sessionOptions, withResearch } from './session-access.ts'
import { drawStatus, readOverview } from './status-view.ts'
import { watchResearch } from './status-watch.ts'

export const status: Verb = {
  name: 'research status',
  summary: 'Show goal, baseline, best and runs of a session; --watch follows it',
  usage: 'research status [flags]',
  options: {
    watch: { type: 'boolean', describe: 'Follow the session until it stops or Ctrl-C' },
    all: { type: 'boolean', describe: 'Every run instead of the last 20' },
    ...sessionOptions,
  },
  examples: [
    ['anode research status', 'A drawing on a terminal, plain lines in a pipe'],
    ['anode research status --watch', 'In a second terminal, while auto works in the first'],
  ],
  run: showStatus,
}

function showStatus(args: CommandArgs, io: CommandIo): Promise<number> {
  return withResearch(args, io, async ({ research }) => {
    if (flagArg(args, 'watch')) {
      return watchResearch(research, args, io)
    }
    const view = await readOverview(research)
    if (flagArg(args, 'json')) await writeText(io.stdout, `${JSON.stringify(view)}\n`)
    else await writeText(io.stdout, `${drawStatus(view, args, io, Number.POSITIVE_INFINITY).join('\n')}\n`)
    return 0
  })
}
