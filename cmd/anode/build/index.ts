// The verb `anode build`, for builds, in which agents work on tasks in parallel. Its commands start, show,
// control, merge and drop builds.
import type { LoadVerb, VerbGroup } from '../verb.ts'
import type { buildVerbNames } from './verb-names.ts'

export const build: VerbGroup = {
  name: 'build',
  summary: 'Split a goal among parallel agents',
  otherwise: () => import('./start.ts').then((m) => m.start),
  verbs: {
    list: () => import('./list.ts').then((m) => m.list),
    status: () => import('./status.ts').then((m) => m.status),
    watch: () => import('./watch.ts').then((m) => m.watch),
    show: () => import('./show.ts').then((m) => m.show),
    resume: () => import('./resume.ts').then((m) => m.resume),
    retry: () => import('./resume.ts').then((m) => m.retry),
    cancel: () => import('./merge.ts').then((m) => m.cancel),
    report: () => import('./report.ts').then((m) => m.report),
    merge: () => import('./merge.ts').then((m) => m.merge),
    drop: () => import('./merge.ts').then((m) => m.drop),
  } satisfies Readonly<Record<(typeof buildVerbNames)[number], LoadVerb>>,
}
