// The command `anode study ask`, which answers a further question about a study from its stored findings, and
// by new tasks if the findings are not enough.
import { UserError } from '../../../internal/base/errors.ts'
import { askStudy } from '../../../internal/service/study/ask.ts'
import { type CommandArgs, type CommandIo, listArg, stringArg, type Verb } from '../verb.ts'
import {
  budgetOptions,
  consentOption,
  costConsent,
  outputOptions,
  placementOptions,
  readLimits,
  readPlacement,
} from './flags.ts'
import { studyPresenter } from './output/study-presenter.ts'
import { readStudyName } from './study-name.ts'

export const ask: Verb = {
  name: 'study ask',
  summary: 'Ask a study that is over a further question, on what it has read and beyond',
  usage: 'study ask ID QUESTION [flags]',
  positionals: [
    {
      name: 'ID',
      describe: 'Id of the study, a unique beginning of it, or last: the newest of this project',
    },
    { name: 'QUESTION', describe: 'What else to find out', many: true },
  ],
  options: { ...budgetOptions, ...consentOption, ...placementOptions, ...outputOptions },
  examples: [
    ['anode study ask last "And after how long is a lock given up?"', 'Evidence that is there comes first'],
    ['anode study ask 01JD3K8Q "Who may change it?" --budget-tokens 400000', 'With a new total'],
  ],
  run: runAsk,
}

async function runAsk(args: CommandArgs, io: CommandIo): Promise<number> {
  const question = listArg(args, 'QUESTION').join(' ').trim()
  if (question === '') {
    throw new UserError('the question is empty', { hint: 'anode study ask last "what else to find out"' })
  }
  const further = {
    question,
    limits: readLimits(args),
    approveCost: costConsent(args, io),
  }
  const where = { ...readPlacement(args), engine: stringArg(args, 'engine') }
  return studyPresenter.study(args, io, (run) => askStudy(readStudyName(args), further, where, run))
}
