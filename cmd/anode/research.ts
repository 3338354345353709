// `anode research`: measured experiments.
import type { Group } from './verb.ts'

export const research: Group = {
  name: 'research',
  summary: 'Change, measure, decide: experiments that noise and agents cannot fool',
  verbs: {
    init: () => import('./research/init.ts').then((m) => m.init),
    run: () => import('./research/run.ts').then((m) => m.run),
    log: () => import('./research/log.ts').then((m) => m.log),
    auto: () => import('./research/auto.ts').then((m) => m.auto),
    aa: () => import('./research/aa.ts').then((m) => m.aa),
    status: () => import('./research/status.ts').then((m) => m.status),
    resume: () => import('./research/resume.ts').then((m) => m.resume),
    verify: () => import('./research/verify.ts').then((m) => m.verify),
    final: () => import('./research/final.ts').then((m) => m.final),
    export: () => import('./research/export.ts').then((m) => m.exportSession),
    finalize: () => import('./research/finalize.ts').then((m) => m.finalize),
    cpu: () => import('./research/cpu.ts').then((m) => m.cpu),
  },
}
