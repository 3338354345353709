// The command `anode study cancel`, which ends a running study. The study can be resumed.

import { cancelStudy } from '../../../internal/service/study/resume.ts'
import { shortId } from '../../../internal/study/progress/progress-lines.ts'
import { exitCodes } from '../exit-codes.ts'
import { doneOptions, printDone } from '../io/done-line.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg, type Verb } from '../verb.ts'
import { placementOptions } from './flags.ts'
import { readStudyName, studyPositional } from './study-name.ts'

export const cancel: Verb = {
  name: 'study cancel',
  summary: 'End a study: workers finish their step and give their tasks back',
  usage: 'study cancel [ID] [flags]',
  positionals: [studyPositional],
  options: {
    force: { type: 'boolean', describe: 'Workers on the machine of its process are ended at once' },
    engine: placementOptions['engine'] as NonNullable<(typeof placementOptions)['engine']>,
    ...doneOptions,
  },
  examples: [['anode study cancel last', 'anode study resume continues it']],
  run: runCancel,
}

async function runCancel(args: CommandArgs, io: CommandIo): Promise<number> {
  const isForced = flagArg(args, 'force')
  const done = await cancelStudy(readStudyName(args), isForced, {
    cwd: io.cwd,
    env: io.env,
    note: (text) => void io.stderr.write(`${text}\n`),
    engine: stringArg(args, 'engine'),
  })
  const id = shortId(done.id)
  const words = done.cancelled
    ? `cancelled ${id}${isForced ? '' : ', workers finish their step'}; anode study resume ${id} continues it`
    : `${id} is ${done.status} already`
  const { id: study, status, cancelled } = done
  printDone(args, io, `${words}\n`, { study, status, cancelled })
  return exitCodes.done
}
