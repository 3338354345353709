// The command `anode study watch`, which shows live progress of a study until the study ends or its
// process is gone.
import { followStudy, isAbandoned, withStudy } from '../../../internal/service/study/known-studies.ts'
import { shortId } from '../../../internal/study/progress/progress-lines.ts'
import { documentOf } from '../../../internal/study/report/document.ts'
import { exitCodes } from '../exit-codes.ts'
import { flagArg, type Verb } from '../verb.ts'
import { openView } from './output/progress-view.ts'
import { readStudyName, studyPositional } from './study-name.ts'

export const watch: Verb = {
  name: 'study watch',
  summary: 'Follow a study until it ends',
  usage: 'study watch [ID] [flags]',
  positionals: [studyPositional],
  options: { json: { type: 'boolean', describe: 'Print one JSON object for each entry' } },
  examples: [
    ['anode study watch last', 'One line for each worker, drawn anew; in a pipe a line for each change'],
  ],
  run: (args, io) =>
    withStudy(readStudyName(args), io, async (study) => {
      const view = openView(io, { out: io.stdout, form: flagArg(args, 'json') ? 'json' : 'auto' })
      try {
        for await (const line of followStudy(study, io.signal)) view.line(line)
      } finally {
        view.end()
      }
      if (io.signal.aborted) return Number(process.exitCode ?? 130)
      const state = await study.state()
      if (!isAbandoned(state)) return documentOf(state, state.round).exit
      const hint = `resume it: anode study resume ${shortId(study.id)}`
      io.stderr.write(`anode: process ${state.coordinator?.pid} of the study is gone\n${hint}\n`)
      return exitCodes.failed
    }),
}
