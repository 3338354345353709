// The command `anode build report`, which describes what a build merged and what not, as Markdown, JSON or
// the text of a pull request.
import { renderBuildReport, renderPullRequest } from '../../../internal/build/report/build-report.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { countDistance, readProofs } from '../../../internal/service/build/finished-build.ts'
import { readBuild } from '../../../internal/service/build/known-builds.ts'
import { exitCodes } from '../exit-codes.ts'
import { formatJson } from '../io/json.ts'
import { writeText } from '../io/streams.ts'
import { flagArg, stringArg, type Verb } from '../verb.ts'
import { buildPositional, jsonOption, readBuildName } from './shared.ts'

export const report: Verb = {
  name: 'build report',
  summary: 'Print tasks, commits, proofs, and what did not merge',
  usage: 'build report [ID] [flags]',
  positionals: [buildPositional],
  options: {
    format: {
      type: 'string',
      describe: 'Markdown, JSON, or title and text of a pull request',
      choices: ['md', 'json', 'pr'],
      default: 'md',
    },
    json: { ...jsonOption, describe: 'The same as --format json' },
  },
  examples: [
    ['anode build report', 'The latest build of this workspace'],
    ['anode build report last --format pr', 'Title and text for a pull request'],
  ],
  run: async (args, io) => {
    const name = readBuildName(args)
    const build = await readBuild(name, io)
    const distance = await countDistance(name, io)
    const format = stringArg(args, 'format')
    if (format === 'json' || flagArg(args, 'json'))
      await writeText(io.stdout, formatJson({ ...build, distance }, 2))
    else {
      const render = format === 'pr' ? renderPullRequest : renderBuildReport
      const proofs = await readProofs(name, io)
      await writeText(io.stdout, sanitizeText(render({ build, distance, proofs }), { keepLines: true }))
    }
    return exitCodes.done
  },
}
