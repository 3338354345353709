// The verb `anode study`, whose commands start, show, continue, cancel, verify and evaluate studies. A study
// answers one question in one report; `anode study ask` adds further questions to it.
import type { LoadVerb, VerbGroup } from '../verb.ts'
import type { studyVerbNames } from './verb-names.ts'

export const study: VerbGroup = {
  name: 'study',
  summary: 'Split a question over several workers and compose one cited report',
  otherwise: () => import('./start.ts').then((m) => m.start),
  verbs: {
    list: () => import('./list.ts').then((m) => m.listStudies),
    status: () => import('./status.ts').then((m) => m.status),
    watch: () => import('./watch.ts').then((m) => m.watch),
    ask: () => import('./ask.ts').then((m) => m.ask),
    resume: () => import('./resume.ts').then((m) => m.resume),
    cancel: () => import('./cancel.ts').then((m) => m.cancel),
    report: () => import('./report.ts').then((m) => m.report),
    trace: () => import('./trace.ts').then((m) => m.trace),
    mailbox: () => import('./mailbox.ts').then((m) => m.mailbox),
    verify: () => import('./verify.ts').then((m) => m.verify),
    eval: () => import('./eval/eval.ts').then((m) => m.evaluate),
  } satisfies Readonly<Record<(typeof studyVerbNames)[number], LoadVerb>>,
}
