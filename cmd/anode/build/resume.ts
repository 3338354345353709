// The commands `anode build resume` and `anode build retry`, which continue a build or start a
// failed task again.
import { resumeBuild, retryBuildTask } from '../../../internal/service/build/run-build.ts'
import { pageOption } from '../serve/announced-page.ts'
import { stringArg, type Verb } from '../verb.ts'
import { showBuild } from './lead.ts'
import {
  buildPositional,
  jsonOption,
  limitOptions,
  readBuildName,
  readLimits,
  taskPositional,
} from './shared.ts'

export const resume: Verb = {
  name: 'build resume',
  summary: 'Resume a build where it stopped; no step runs again that has ended',
  usage: 'build resume [ID] [flags]',
  positionals: [buildPositional],
  options: {
    plan: { type: 'string', describe: 'Plan for a build of --plan-only; its planner counts', value: 'FILE' },
    ...limitOptions,
    serve: pageOption,
    json: jsonOption,
  },
  examples: [
    ['anode build resume last', 'After an interruption, a crash or a cancellation'],
    ['anode build resume last --budget-usd 10', 'With a new total, when the old one was too small'],
  ],
  run: (args, io) => {
    const limits = { ...readLimits(args), file: stringArg(args, 'plan') }
    return showBuild(args, io, (run) => resumeBuild(readBuildName(args), limits, run))
  },
}

export const retry: Verb = {
  name: 'build retry',
  summary: 'Start a failed task again, and the tasks that waited for it',
  usage: 'build retry ID TASK [flags]',
  positionals: [{ ...buildPositional, required: true }, taskPositional],
  options: { json: jsonOption },
  examples: [['anode build retry last api', 'After you have fixed what made it fail']],
  run: (args, io) =>
    showBuild(args, io, (run) => retryBuildTask(readBuildName(args), stringArg(args, 'TASK') ?? '', run)),
}
