// The verb `anode study`, whose commands start, show, continue, cancel, verify and evaluate studies. A study
// answers one question in one report; `anode study ask` adds further questions to it.
import type { VerbEntry, VerbGroup } from '../verb.ts'
import { listStudies } from './list.ts'
import { mailbox } from './mailbox.ts'
import { report } from './report.ts'
import { status } from './status.ts'
import { trace } from './trace.ts'
import type { studyVerbNames } from './verb-names.ts'
import { watch } from './watch.ts'

const loadLater = async () => (await import('./later-verbs.ts')).laterVerbs

export const study: VerbGroup = {
  name: 'study',
  summary: 'Split a question over several workers and compose one cited report',
  otherwise: () => import('./start.ts').then((m) => m.start),
  verbs: {
    list: listStudies,
    status,
    watch,
    ask: async () => (await loadLater()).ask,
    resume: async () => (await loadLater()).resume,
    cancel: async () => (await loadLater()).cancel,
    report,
    trace,
    mailbox,
    verify: () => import('./verify.ts').then((m) => m.verify),
    eval: () => import('./eval/eval.ts').then((m) => m.evaluate),
  } satisfies Readonly<Record<(typeof studyVerbNames)[number], VerbEntry>>,
}
