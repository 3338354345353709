// The verb `anode research`, whose commands measure experiments.
import type { VerbGroup } from '../verb.ts'

/**
 * Loads the module of the commands `final` and `finalize`, for the end of a session. Both are small, so they
 * share one module.
 */
const loadEndings = () => import('./final.ts')

export const research: VerbGroup = {
  name: 'research',
  summary: 'Change, measure, decide: experiments that noise and agents cannot fool',
  verbs: {
    init: () => import('./init.ts').then((m) => m.init),
    run: () => import('./run.ts').then((m) => m.run),
    log: () => import('./log.ts').then((m) => m.log),
    auto: () => import('./auto.ts').then((m) => m.auto),
    aa: () => import('./aa.ts').then((m) => m.aa),
    compare: () => import('./compare.ts').then((m) => m.compare),
    status: () => import('./status.ts').then((m) => m.status),
    resume: () => import('./resume.ts').then((m) => m.resume),
    verify: () => import('./verify.ts').then((m) => m.verify),
    final: () => loadEndings().then((m) => m.final),
    export: () => import('./export.ts').then((m) => m.exportSession),
    finalize: () => loadEndings().then((m) => m.finalize),
    cpu: () => import('./cpu.ts').then((m) => m.cpu),
  },
}
