// `anode study status`: where a study stands.

import { isAbandoned, withStudy } from '../../../internal/host/study/studies.ts'
import { clean } from '../../../internal/render/clean.ts'
import { documentOf } from '../../../internal/study/report/document.ts'
import { spending } from '../../../internal/study/report/facts.ts'
import { headLine, reportLine, shortId, taskLine, verifyLine } from '../../../internal/study/show/say.ts'
import type { StudyState } from '../../../internal/study/state.ts'
import { exit } from '../exit.ts'
import { write } from '../io.ts'
import { json } from '../json.ts'
import { fitLines } from '../prose.ts'
import { type Args, flag, type Io, type Verb } from '../verb.ts'
import { nameOf, studyName } from './name.ts'

export const status: Verb = {
  name: 'study status',
  summary: 'Say where a study stands: its tasks, what it has found and spent',
  usage: 'study status [ID] [flags]',
  positionals: [studyName],
  options: { json: { type: 'boolean', describe: 'Print one JSON object' } },
  examples: [['anode study status last', 'The newest study of this project']],
  run: (args, io) => withStudy(nameOf(args), io, async (found) => print(await found.state(), args, io)),
}

async function print(state: StudyState, args: Args, io: Io): Promise<number> {
  const abandoned = isAbandoned(state)
  if (flag(args, 'json')) {
    const { sections: _, claims, sources: __, ...rest } = documentOf(state)
    await write(io.stdout, json({ ...rest, claims: claims.length, abandoned }))
    return exit.done
  }
  const { reason, coordinator } = state
  const lines = [
    headLine(state),
    state.head.question,
    `status  ${state.status}${reason === undefined ? '' : ` (${reason})`}`,
    ...[...state.tasks.values()].map((task) => taskLine(task, state)),
    ...verifyLine(state),
    ...spending(documentOf(state)).map(([label, value]) => `${label.toLowerCase().padEnd(12)} ${value}`),
    ...(state.report ? [reportLine(state)] : []),
    ...(abandoned
      ? [`its process ${coordinator?.pid} is gone. anode study resume ${shortId(state.head.id)}`]
      : []),
  ]
  await write(io.stdout, fitLines(`${lines.map((line) => clean(line)).join('\n')}\n`, io))
  return exit.done
}
