// `anode study watch`: a study as it goes on, until it ends.
import { follow, isAbandoned, withStudy } from '../../../internal/host/study/studies.ts'
import { exitCode } from '../../../internal/study/outcome.ts'
import { shortId } from '../../../internal/study/show/say.ts'
import { exit } from '../exit.ts'
import { flag, type Verb } from '../verb.ts'
import { nameOf, studyName } from './name.ts'
import { openView } from './view.ts'

export const watch: Verb = {
  name: 'study watch',
  summary: 'Follow a study until it ends',
  usage: 'study watch [ID] [flags]',
  positionals: [studyName],
  options: { json: { type: 'boolean', describe: 'Print one JSON object for each entry' } },
  examples: [
    ['anode study watch last', 'One line for each worker, drawn anew; in a pipe a line for each change'],
  ],
  run: (args, io) =>
    withStudy(nameOf(args), io, async (found) => {
      const view = openView(io, { out: io.stdout, form: flag(args, 'json') ? 'json' : 'auto' })
      for await (const line of follow(found, io.signal)) view.line(line)
      view.end()
      if (io.signal.aborted) return Number(process.exitCode ?? 130)
      const state = await found.state()
      if (!isAbandoned(state)) return exitCode(state)
      const hint = `anode study resume ${shortId(found.id)} takes it up again`
      io.stderr.write(`anode: its process ${state.coordinator?.pid} is gone; ${hint}\n`)
      return exit.failed
    }),
}
