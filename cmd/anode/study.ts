// `anode study`: one question, several workers, one cited report.
import type { Group } from './verb.ts'

export const study: Group = {
  name: 'study',
  summary: 'Split a question over several workers and compose one cited report',
  otherwise: () => import('./study/start.ts').then((m) => m.start),
  verbs: {
    status: () => import('./study/status.ts').then((m) => m.status),
    watch: () => import('./study/watch.ts').then((m) => m.watch),
    resume: () => import('./study/resume.ts').then((m) => m.resume),
    cancel: () => import('./study/cancel.ts').then((m) => m.cancel),
    report: () => import('./study/report.ts').then((m) => m.report),
    trace: () => import('./study/trace.ts').then((m) => m.trace),
    mailbox: () => import('./study/mailbox.ts').then((m) => m.mailbox),
    verify: () => import('./study/verify.ts').then((m) => m.verify),
    eval: () => import('./study/eval.ts').then((m) => m.evaluate),
  },
}
