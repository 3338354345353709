// The command `anode research resume`, which completes or reverts the step that a crash or an interrupt left
// open, and prints the state of the session.
import { pendingLine } from '../../../internal/research/report/status-lines.ts'
import type { RecoveryResult } from '../../../internal/research/session.ts'
import type { CommandArgs, CommandIo, Verb } from '../verb.ts'
import { printValue, sessionOptions, withResearch } from './session-access.ts'

export const resume: Verb = {
  name: 'research resume',
  summary: 'Finish what a crash or an interrupt left unfinished, and print the state of the session',
  usage: 'research resume [flags]',
  options: sessionOptions,
  examples: [['anode research resume --json', 'After a kill or a power cut']],
  run: (args, io) => resumeSession(args, io),
}

const words: Readonly<Record<RecoveryResult['recovered'], string>> = {
  interrupted: 'was cut off while it was measured; logged as crash',
  measured: 'is measured and waits for research log',
  restored: 'was logged; its files are restored now',
  committed: 'was being committed; that is finished now',
  torn: 'the last line of the ledger was incomplete; it was moved to a file next to the ledger',
  nothing: 'nothing was left open',
}

function resumeSession(args: CommandArgs, io: CommandIo): Promise<number> {
  return withResearch(args, io, async ({ research }) => {
    const resumed = await research.resume()
    const { pending } = await research.state()
    await printValue(args, io, resumed, () => [
      `${resumed.run === undefined ? '' : `run ${resumed.run} `}${words[resumed.recovered]}`,
      ...(resumed.worktree_clean ? [] : ['the workspace still holds changes of a run that was not kept']),
      ...pending.map(pendingLine),
      ...resumed.notes.map((note) => `note: ${note}`),
    ])
    return 0
  })
}
