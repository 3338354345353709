// `anode build watch`: follows a build until it ends.
import { formatBuildEntry } from '../../../internal/build/report/build-lines.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { followBuild } from '../../../internal/service/build/known-builds.ts'
import { exitCodes } from '../exit-codes.ts'
import { fitLines } from '../io/prose.ts'
import { flagArg, type Verb } from '../verb.ts'
import { buildPositional, printBuild, readBuildName } from './shared.ts'

export const watch: Verb = {
  name: 'build watch',
  summary: 'Follow a build until it ends',
  usage: 'build watch [ID] [flags]',
  positionals: [buildPositional],
  options: { json: { type: 'boolean', describe: 'Print one JSON object for each entry of the journal' } },
  examples: [['anode build watch', 'The latest build of this workspace, line by line']],
  run: async (args, io) => {
    const json = flagArg(args, 'json')
    const summary = await followBuild(readBuildName(args), io, (line) => {
      const text = json ? JSON.stringify(line) : formatBuildEntry(line)
      if (text !== undefined) io.stdout.write(json ? `${text}\n` : fitLines(`${sanitizeText(text)}\n`, io))
    })
    await printBuild(summary, json, io)
    return io.signal.aborted ? exitCodes.interrupted : exitCodes.done
  },
}
