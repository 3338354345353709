// `anode study cancel`: ends a study that runs somewhere; it can be resumed.
import { shortId } from '../../../internal/study/show/say.ts'
import { exit } from '../exit.ts'
import { write } from '../io.ts'
import { type Args, flag, type Io, str, type Verb } from '../verb.ts'
import { nameOf, studyName } from './name.ts'
import { crewing, given } from './start.ts'

export const cancel: Verb = {
  name: 'study cancel',
  summary: 'End a study: workers finish their step and give their tasks back',
  usage: 'study cancel [ID] [flags]',
  positionals: [studyName],
  options: {
    force: { type: 'boolean', describe: 'Workers on the machine of its process are ended at once' },
    engine: crewing['engine'] as NonNullable<(typeof crewing)['engine']>,
  },
  examples: [['anode study cancel last', 'anode study resume goes on with it']],
  run: runCancel,
}

async function runCancel(args: Args, io: Io): Promise<number> {
  const { cancelStudy } = await import('../../../internal/host/study/resume.ts')
  const done = await cancelStudy(nameOf(args), flag(args, 'force'), {
    cwd: io.cwd,
    env: io.env,
    note: (text) => void io.stderr.write(`${text}\n`),
    ...given('engine', str(args, 'engine')),
  })
  const id = shortId(done.id)
  const words = done.cancelled
    ? `cancelled ${id}; anode study resume ${id} goes on`
    : `${id} is ${done.status} already`
  await write(io.stdout, `${words}\n`)
  return exit.done
}
