// The command `anode study status`, which prints the current state of a study.

import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { isAbandoned, withStudy } from '../../../internal/service/study/known-studies.ts'
import { findWorkersOf } from '../../../internal/service/study/worker-list.ts'
import { addStudyReason } from '../../../internal/session/board/study-words.ts'
import type { StudyState } from '../../../internal/study/log/state.ts'
import {
  headLine,
  reportLine,
  shortId,
  taskLine,
  verifyLine,
} from '../../../internal/study/progress/progress-lines.ts'
import { documentOf } from '../../../internal/study/report/document.ts'
import { listSpending } from '../../../internal/study/report/facts.ts'
import { exitCodes } from '../exit-codes.ts'
import { formatJson } from '../io/json.ts'
import { fitLines } from '../io/prose.ts'
import { writeText } from '../io/streams.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'
import { readStudyName, studyPositional } from './study-name.ts'

export const status: Verb = {
  name: 'study status',
  summary: 'Show the state of a study: its tasks, findings and cost',
  usage: 'study status [ID] [flags]',
  positionals: [studyPositional],
  options: { json: { type: 'boolean', describe: 'Print one JSON object' } },
  examples: [['anode study status last', 'The newest study of this project']],
  run: (args, io) =>
    withStudy(readStudyName(args), io, async (study) => printStatus(await study.state(), args, io)),
}

async function printStatus(state: StudyState, args: CommandArgs, io: CommandIo): Promise<number> {
  const abandoned = isAbandoned(state)
  const document = documentOf(state)
  if (flagArg(args, 'json')) {
    const { sections: _, claims, sources: __, ...rest } = document
    await writeText(io.stdout, formatJson({ ...rest, claims: claims.length, abandoned }))
    return exitCodes.done
  }
  const { coordinator } = state
  const workers = await findWorkersOf(state, io.env)
  const lines = [
    headLine(state),
    state.head.question,
    `status  ${addStudyReason(document.outcome, document.reason)}`,
    ...(workers === undefined ? [] : [`workers ${workers}`]),
    ...[...state.tasks.values()].map((task) => taskLine(task, state)),
    ...verifyLine(state),
    ...listSpending(document).map(([label, value]) => `${label.toLowerCase().padEnd(12)} ${value}`),
    ...(state.report ? [reportLine(state)] : []),
    ...(abandoned
      ? [`its process ${coordinator?.pid} is gone. anode study resume ${shortId(state.head.id)}`]
      : []),
  ]
  await writeText(io.stdout, fitLines(`${lines.map((line) => sanitizeText(line)).join('\n')}\n`, io))
  return exitCodes.done
}
