// The command `anode build watch`, which shows a build until it ends.
import { followBuild } from '../../../internal/service/build/known-builds.ts'
import { exitCodes } from '../exit-codes.ts'
import { flagArg, type Verb } from '../verb.ts'
import { openBuildView } from './build-view.ts'
import { buildPositional, printBuild, readBuildName } from './shared.ts'

export const watch: Verb = {
  name: 'build watch',
  summary: 'Follow a build until it ends',
  usage: 'build watch [ID] [flags]',
  positionals: [buildPositional],
  options: { json: { type: 'boolean', describe: 'Print one JSON object for each entry of the journal' } },
  examples: [
    ['anode build watch', 'A line for each task, drawn again in place; in a pipe a line for each change'],
  ],
  run: async (args, io) => {
    const json = flagArg(args, 'json')
    const view = openBuildView(io, { out: io.stdout, json: json ? (line) => line : undefined })
    const summary = await followBuild(readBuildName(args), io, view.line).finally(view.end)
    await printBuild(summary, json, io)
    return io.signal.aborted ? exitCodes.interrupted : exitCodes.done
  },
}
