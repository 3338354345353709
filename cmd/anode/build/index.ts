// The verb `anode build`, for builds, in which agents work on tasks in parallel. Its commands start, show,
// control, merge and drop builds.
import type { VerbEntry, VerbGroup } from '../verb.ts'
import { list } from './list.ts'
import { cancel, drop, merge } from './merge.ts'
import { report } from './report.ts'
import { show } from './show.ts'
import { status } from './status.ts'
import type { buildVerbNames } from './verb-names.ts'
import { watch } from './watch.ts'

const loadResume = () => import('./resume.ts')

export const build: VerbGroup = {
  name: 'build',
  summary: 'Split a goal among parallel agents',
  otherwise: () => import('./start.ts').then((m) => m.start),
  verbs: {
    list,
    status,
    watch,
    show,
    resume: () => loadResume().then((m) => m.resume),
    retry: () => loadResume().then((m) => m.retry),
    cancel,
    report,
    merge,
    drop,
  } satisfies Readonly<Record<(typeof buildVerbNames)[number], VerbEntry>>,
}
