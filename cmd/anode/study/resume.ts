// `anode study resume`: goes on with a study that was interrupted, cancelled, lost its process, or reached a limit.
import { duration } from '../execute.ts'
import { type Args, type Io, str, type Verb } from '../verb.ts'
import { nameOf, studyName } from './name.ts'
import { crewing, given, output, readBudget, readCrewing, totals } from './start.ts'

export const resume: Verb = {
  name: 'study resume',
  summary: 'Go on with a study where it stopped; nothing that was paid is paid again',
  usage: 'study resume [ID] [flags]',
  positionals: [studyName],
  options: { ...totals, ...crewing, ...output },
  examples: [
    ['anode study resume last', 'After an interruption, a crash or a cancellation'],
    ['anode study resume last --budget-tokens 400000', 'With a new total, when the old one was too small'],
  ],
  run: runResume,
}

async function runResume(args: Args, io: Io): Promise<number> {
  const deadline = str(args, 'deadline')
  const again = {
    budget: readBudget(args),
    ...given('deadlineMs', deadline === undefined ? undefined : duration(deadline)),
  }
  const where = { ...readCrewing(args), ...given('engine', str(args, 'engine')) }
  const { resumeStudy } = await import('../../../internal/host/study/resume.ts')
  const { present } = await import('./present.ts')
  return present.study(args, io, (run) => resumeStudy(nameOf(args), again, where, run))
}
