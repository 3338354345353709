// The command `anode study resume`, which continues a study that was interrupted or canceled, lost its
// process or reached a limit.

import { withStudy } from '../../../internal/service/study/known-studies.ts'
import { resumeStudy } from '../../../internal/service/study/resume.ts'
import { type CommandArgs, type CommandIo, stringArg, type Verb } from '../verb.ts'
import { budgetOptions, outputOptions, placementOptions, readLimits, readPlacement } from './flags.ts'
import { studyPresenter } from './output/study-presenter.ts'
import { readStudyName, studyPositional } from './study-name.ts'

export const resume: Verb = {
  name: 'study resume',
  summary: 'Resume a study where it stopped; no paid step is paid again',
  usage: 'study resume [ID] [flags]',
  positionals: [studyPositional],
  options: { ...budgetOptions, ...placementOptions, ...outputOptions },
  examples: [
    ['anode study resume last', 'After an interruption, a crash or a cancellation'],
    ['anode study resume last --budget-tokens 400000', 'With a new total, when the old one was too small'],
  ],
  run: runResume,
}

async function runResume(args: CommandArgs, io: CommandIo): Promise<number> {
  const where = { ...readPlacement(args), engine: stringArg(args, 'engine') }
  const name = readStudyName(args)
  const isTable = await withStudy(name, io, async (study) => (await study.state()).head.table !== undefined)
  const form = isTable ? (await studyPresenter.tables()).createTableForm(args, io) : undefined
  return studyPresenter.study(args, io, (run) => resumeStudy(name, readLimits(args), where, run), form)
}
