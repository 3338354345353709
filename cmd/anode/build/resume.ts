// `anode build resume`: continues a build that was interrupted, lost its process, or reached a limit.
import { resumeBuild } from '../../../internal/service/build/run-build.ts'
import type { Verb } from '../verb.ts'
import { showBuild } from './lead.ts'
import { buildPositional, jsonOption, readBuildName } from './shared.ts'

export const resume: Verb = {
  name: 'build resume',
  summary: 'Resume a build where it stopped; no step runs again that has ended',
  usage: 'build resume [ID] [flags]',
  positionals: [buildPositional],
  options: { json: jsonOption },
  examples: [['anode build resume last', 'After an interruption, a crash or a cancellation']],
  run: (args, io) => showBuild(args, io, (run) => resumeBuild(readBuildName(args), run)),
}
